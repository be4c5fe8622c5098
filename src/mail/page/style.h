/* Styles: the role of a piece of text, which the theme turns into colours. */
#ifndef MAIL_PAGE_STYLE_H
#define MAIL_PAGE_STYLE_H

enum style {
    STYLE_PLAIN,
    /* text */
    STYLE_HEADING, /* of a Markdown text */
    STYLE_STRONG,
    STYLE_EMPHASIS,
    STYLE_CODE,
    STYLE_LINK,
    STYLE_QUOTE,
    STYLE_STRUCK,
    STYLE_LABEL,   /* the name of a field */
    STYLE_DIM,     /* minor text: rules, marks, ages */
    STYLE_ESCAPED, /* replaces something that must not be drawn */
    STYLE_WARNING,
    STYLE_ERROR,
    STYLE_FOUND, /* matches a search */
    /* rows and bars */
    STYLE_TITLE,    /* the bar at the top */
    STYLE_TITLE_ON, /* the view that is open, in that bar */
    STYLE_GROUP,    /* a heading between rows */
    STYLE_SELECTED, /* the row the cursor is on */
    STYLE_TAGGED,
    STYLE_NEEDS, /* waits for the person */
    STYLE_UNREAD,
    STYLE_SWARM, /* between agents */
    STYLE_READ,
    STYLE_STUCK,
    STYLE_WORKING,
    STYLE_IDLE,
    STYLE_GONE,
    STYLE_STATUS,   /* the bar at the foot */
    STYLE_KEY,      /* a key in the key bar */
    STYLE_KEY_TEXT, /* the effect of that key */
    STYLE_BORDER,
    STYLE_FIELD,    /* of a form */
    STYLE_FIELD_ON, /* the field that is edited */
    STYLE_PROMPT,
    STYLE_COUNT,
    STYLE_AGENT = STYLE_COUNT, /* and on: the colours that rosters give agents */
};

#endif
