import { describe, expect, it } from "vitest";
import { queryTerms } from "../../src/ranking/query-terms.ts";

describe("the matter of a short question", () => {
  it.each([
    ["Wann ist Straßenreinigung?", ["strassenreinigung"]],
    ["Wer ist Hausmeister?", ["hausmeist"]],
    ["¿Cuánto es la fianza?", ["fianza"]],
    ["Kiedy remont?", ["remont"]],
    ["Ile wynosi kaucja?", ["wynosi", "kaucja"]],
    ["Kolik je kauce?", ["kauc"]],
    ["Hur hög är hyran?", ["hyran"]],
    ["Quanto costa la cauzione?", ["costa", "cauzion"]],
    ["Depozito ne kadar?", ["depozito"]],
  ])("of %s has no stop words of its language", (question, terms) => {
    expect(queryTerms(question)).toEqual(terms);
  });

  it.each([
    ["Die casting tolerances", ["die", "cast", "toler"]],
    ["La Niña effects", ["la", "nina", "effect"]],
    ["war crimes tribunal", ["war", "crime", "tribun"]],
    ["When did Los Lobos form?", ["los", "lobo", "form"]],
    ["Was Caesar killed?", ["caesar", "kill"]],
  ])("of %s keeps English words that are stop words elsewhere", (question, terms) => {
    expect(queryTerms(question)).toEqual(terms);
  });
});
