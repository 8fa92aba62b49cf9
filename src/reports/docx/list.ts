import { AlignmentType, type INumberingOptions, LevelFormat } from "docx";

/** In the embedded fonts, which docx's own bullet is not. */
export const POINT = "•";

export const ITEM = { reference: "points", level: 0 } as const;

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
