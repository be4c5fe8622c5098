/* Tests the approval check: hosts that are invalid or look like others. */
#include "approval_check_support.h"

static void expect_host(const char *host, const char *want)
{
    struct str by = {0};

    str_addf(&by, "{\"host\":\"%s\"}", host);
    expect_with(HOST, "{\"host\":\"example.org\"}", str_c(&by), want);
    str_free(&by);
}

Test(approval_host, names_patterns_and_addresses_are_hosts)
{
    static const char *const hosts[] = {
        "example.org",
        "EXAMPLE.org",
        "localhost",
        "*.example.org",
        "*",
        "example.org:8443",
        "10.0.0.1",
        "_dmarc.example.org",
        "xn--e1afmkfd.x",
        "[::1]",
        "2001:db8::1",
        "a-b.c",
        ("b\xc3\xbc"
         "cher.example"),
        "\xd0\xbf\xd1\x80\xd0\xb8\xd0\xbc\xd0\xb5\xd1\x80.example",
        "\xe4\xbe\x8b\xe3\x81\x88.jp",
    };

    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        expect_host(hosts[i], NULL);
}

Test(approval_host, what_is_no_host_is_refused)
{
    static const char *const hosts[] = {
        "",        " ",       "example org",   " example.org", "example.org ", "a/b",
        "a@b",     "a@b.org", "https://a.org", "a.org/x",      "a.org?x",      "a.org#x",
        "a.org:x", "a.org:",  "a.org:123456",  ".a.org",       "a..org",       "a.org.",
        "-a.org",  "a-.org",  "a.*",           "*a.org",       "**.org",       "*.",
        "a,b",     "a;b",     "a|b",           "$(a)",         "a%2eb",        "a(b)",
        "[::1",    ":",       ":80",           "a_b!",         "user:pw",
    };

    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        struct str why = {0};
        str_addf(&why, "\"%s\" is not the name of a host", hosts[i]);
        expect_host(hosts[i], str_c(&why));
        str_free(&why);
    }
    expect_host("a\\nb.org", "\"a^Jb.org\" is not the name of a host");
    expect_host("a\\\\b", "\"a\\b\" is not the name of a host");
}

/* Programs turn these characters into a dot, a slash or a Latin letter. */
Test(approval_host, characters_that_become_others_are_refused)
{
    static const struct {
        const char *host, *shown;
    } cases[] = {
        {"a.org\xe2\x88\x95x.org", "a.org<U+2215>x.org"}, /* slashes */
        {"a.org\xe2\x81\x84x.org", "a.org<U+2044>x.org"},
        {"a.org\xef\xbc\x8fx.org", "a.org<U+FF0F>x.org"},
        {"a\xe3\x80\x82org", "a<U+3002>org"}, /* dots */
        {"a\xef\xbc\x8eorg", "a<U+FF0E>org"},
        {"\xef\xbd\x81.org", "<U+FF41>.org"},      /* a wide a */
        {"\xf0\x9d\x90\x9b.org", "<U+1D41B>.org"}, /* a bold b */
        {"\xe2\x91\xa0.org", "<U+2460>.org"},      /* a circled one */
        {"a\xc2\xa0.org", "a<U+00A0>.org"},        /* a no-break space */
        {"a\xf0\x9f\x98\x80.org", "a<U+1F600>.org"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str why = {0};
        str_addf(&why, "\"%s\" is not the name of a host", cases[i].shown);
        expect_host(cases[i].host, str_c(&why));
        str_free(&why);
    }
}

Test(approval_host, labels_and_hosts_have_a_length)
{
    struct str label = {0}, host = {0};

    str_pad(&label, 'a', 63);
    expect_host(str_c(&label), NULL);
    str_putc(&label, 'a');
    expect_host(str_c(&label),
                "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa~\" is not the name of a host");
    while (host.len < 1000)
        str_puts(&host, "aaaaaaa.");
    str_putc(&host, 'a');
    expect_host(str_c(&host),
                "\"aaaaaaa.aaaaaaa.aaaaaaa.aaaaaaa.aaaaaaa~\" is not the name of a host");
    str_free(&label);
    str_free(&host);
}

Test(approval_host, a_label_of_two_scripts_is_refused)
{
    expect_host("ex\xd0\xb0mple.org",
                "the host \"ex<U+0430>mple.org\" mixes letters of different scripts, which look "
                "alike");
    expect_host("*.g\xce\xbf"
                "ogle.com",
                "the host \"*.g<U+03BF>ogle.com\" mixes letters of different scripts, which look "
                "alike");
    expect_host("api.p\xd0\xb0ypal.com:443",
                "the host \"api.p<U+0430>ypal.com:443\" mixes letters of different scripts, which "
                "look alike");
}
