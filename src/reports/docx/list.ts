import { AlignmentType, type INumberingOptions, LevelFormat } from "docx";

/** A point that the fonts of a document have; docx's own is in few of Latin letters. */
export const POINT = "•";

/** What a paragraph is told that is an item of a list. */
export const ITEM = { reference: "points", level: 0 } as const;

/** The lists of a document. */
export const LISTS: INumberingOptions = {
  config: [
    {
      reference: ITEM.reference,
      levels: [
        {
          level: ITEM.level,
          format: LevelFormat.BULLET,
          text: POINT,
          alignment: AlignmentType.LEFT,
          style: { paragraph: { indent: { left: 720, hanging: 360 } } },
        },
      ],
    },
  ],
};
