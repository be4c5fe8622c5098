/* Looks: what a piece of text is, for whoever gives it a colour. */
#ifndef MAIL_PAGE_STYLE_H
#define MAIL_PAGE_STYLE_H

enum look {
    LOOK_PLAIN,
    /* texts */
    LOOK_HEADING, /* of a Markdown text */
    LOOK_STRONG,
    LOOK_EMPHASIS,
    LOOK_CODE,
    LOOK_LINK,
    LOOK_QUOTE,
    LOOK_STRUCK,
    LOOK_LABEL,   /* the name of a field */
    LOOK_DIM,     /* said in passing: rules, marks, ages */
    LOOK_ESCAPED, /* stands for something that must not be drawn */
    LOOK_WARNING,
    LOOK_ERROR,
    LOOK_FOUND, /* matches a search */
    /* rows and bars */
    LOOK_TITLE,    /* the bar at the top */
    LOOK_TITLE_ON, /* the view that is open, in that bar */
    LOOK_GROUP,    /* a heading between rows */
    LOOK_SELECTED, /* the row the cursor is on */
    LOOK_TAGGED,
    LOOK_NEEDS, /* waits for the person */
    LOOK_UNREAD,
    LOOK_SWARM, /* between agents */
    LOOK_READ,
    LOOK_STUCK,
    LOOK_WORKING,
    LOOK_IDLE,
    LOOK_GONE,
    LOOK_STATUS,   /* the bar at the foot */
    LOOK_KEY,      /* a key in the key bar */
    LOOK_KEY_TEXT, /* what it does */
    LOOK_BORDER,
    LOOK_FIELD,    /* of a form */
    LOOK_FIELD_ON, /* the field that is edited */
    LOOK_PROMPT,
    LOOK_COUNT,
    LOOK_AGENT = LOOK_COUNT, /* and on: the colours that rosters give agents */
};

#endif
