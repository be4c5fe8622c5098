/* The doctor: parts of the search index that cannot be used. */
#include "store/doctor_exam.h"
#include "store/index.h"

void look_index(struct exam *exam)
{
    struct str text = {0}, advice = {0};
    struct search_index index;

    index_open(&index, exam->source);
    index_check(&index);
    if (index.damaged) {
        str_addf(&text,
                 "%zu part%s of the search index cannot be used, and the files are read "
                 "instead: %s",
                 index.damaged, index.damaged == 1 ? "" : "s", index.problem);
        str_puts(&advice, "swarmutt index rebuild makes it anew; nothing is lost");
        doctor_find(exam, false, str_span(&index.path), &text, &advice);
    }
    index_close(&index);
}
