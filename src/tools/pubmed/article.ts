import { z } from "zod";
import { DossierError } from "../../errors.ts";
import { parseXml, XmlText } from "../services/parse-xml.ts";

const LISTS = [
  "PubmedArticle",
  "PubmedBookArticle",
  "Author",
  "AuthorList",
  "AbstractText",
  "ArticleId",
  "PublicationType",
  "CommentsCorrections",
  "ArticleDate",
];
/** Elements with `<i>` and `<sub>` inside; they are read by `plainText`. */
const MIXED = ["ArticleTitle", "VernacularTitle", "BookTitle", "AbstractText", "CollectiveName"];

/** Of `PubDate`, `ArticleDate`, `ContributionDate`: numbers or names of months, or `MedlineDate` such as `1998 Dec-1999 Jan`. */
const PartialDateSchema = z.object({
  Year: XmlText.nullish(),
  Month: XmlText.nullish(),
  Day: XmlText.nullish(),
  MedlineDate: XmlText.nullish(),
});
export type PartialDate = z.infer<typeof PartialDateSchema>;

const AuthorSchema = z.object({
  "@ValidYN": z.string().nullish(),
  LastName: XmlText.nullish(),
  ForeName: XmlText.nullish(),
  Initials: XmlText.nullish(),
  Suffix: XmlText.nullish(),
  CollectiveName: XmlText.nullish(),
});
export type Author = z.infer<typeof AuthorSchema>;

/** An empty element is an empty string. */
const orNothing = <T extends z.ZodType>(schema: T) => z.preprocess((value) => (value === "" ? null : value), schema.nullish());

const AuthorListsSchema = orNothing(
  z.array(orNothing(z.object({ "@Type": z.string().nullish(), Author: z.array(AuthorSchema).nullish() }))),
);
const AbstractSchema = orNothing(
  z.object({
    AbstractText: z.array(z.union([z.string(), z.object({ "#text": z.string().default(""), "@Label": z.string().nullish() })])).nullish(),
  }),
);
const IdListSchema = orNothing(z.object({ ArticleId: z.array(z.object({ "#text": z.string(), "@IdType": z.string() })).nullish() }));
const TypesSchema = z.array(XmlText).nullish();

/** A `PubmedArticle` of efetch, as far as it is used here. */
export const ArticleSchema = z.object({
  MedlineCitation: z.object({
    PMID: XmlText,
    Article: z.object({
      ArticleTitle: XmlText.nullish(),
      VernacularTitle: XmlText.nullish(),
      Journal: z
        .object({
          Title: XmlText.nullish(),
          JournalIssue: z.object({ PubDate: orNothing(PartialDateSchema) }).nullish(),
        })
        .nullish(),
      ArticleDate: z.array(PartialDateSchema).nullish(),
      Abstract: AbstractSchema,
      AuthorList: AuthorListsSchema,
      PublicationTypeList: orNothing(z.object({ PublicationType: TypesSchema })),
    }),
    CommentsCorrectionsList: orNothing(
      z.object({ CommentsCorrections: z.array(z.object({ "@RefType": z.string().nullish() })).nullish() }),
    ),
  }),
  PubmedData: orNothing(z.object({ ArticleIdList: IdListSchema })),
});
export type Article = z.infer<typeof ArticleSchema>;

/** A chapter of the NCBI Bookshelf, which efetch mixes with the articles. */
export const BookArticleSchema = z.object({
  BookDocument: z.object({
    PMID: XmlText,
    ArticleTitle: XmlText.nullish(),
    Book: z.object({
      BookTitle: XmlText.nullish(),
      PubDate: orNothing(PartialDateSchema),
      Publisher: z.object({ PublisherName: XmlText.nullish() }).nullish(),
      AuthorList: AuthorListsSchema,
    }),
    ContributionDate: orNothing(PartialDateSchema),
    Abstract: AbstractSchema,
    AuthorList: AuthorListsSchema,
    ArticleIdList: IdListSchema,
  }),
});
export type BookArticle = z.infer<typeof BookArticleSchema>;

const SetSchema = z.object({
  PubmedArticleSet: z.preprocess(
    (value) => (value === "" ? {} : value),
    z.object({ PubmedArticle: z.array(z.unknown()).nullish(), PubmedBookArticle: z.array(z.unknown()).nullish() }),
  ),
});

/** What efetch sent, still to be read one by one. @throws DossierError `unreadable` */
export function readArticleSet(text: string): { articles: readonly unknown[]; books: readonly unknown[] } {
  const parsed = SetSchema.safeParse(parseXml("pubmed", text, { lists: LISTS, mixed: MIXED }));
  if (!parsed.success) throw new DossierError("unreadable", "pubmed answered with something that is no set of articles.");
  const { PubmedArticle, PubmedBookArticle } = parsed.data.PubmedArticleSet;
  return { articles: PubmedArticle ?? [], books: PubmedBookArticle ?? [] };
}
