import { describe, expect, it } from "vitest";
import { decodeBytes } from "../../src/documents/decode-text.ts";
import { createExtractor } from "../../src/documents/extract.ts";

/** Key: a character. Value: its bytes. */
function bytesOf(encoding: string, isDouble: boolean): Map<string, readonly number[]> {
  const all = Array.from({ length: 256 }, (_, byte) => byte);
  const sequences: number[][] = [
    ...(isDouble ? all.slice(0x81).flatMap((first) => all.map((second) => [first, second])) : []),
    ...all.map((byte) => [byte]),
  ];
  return new Map(sequences.map((bytes) => [new TextDecoder(encoding).decode(Uint8Array.from(bytes)), bytes]));
}

function encode(text: string, encoding: string): Uint8Array {
  const bytes = bytesOf(encoding, /jis|jp|kr|gb|big5/.test(encoding));
  return Uint8Array.from(Array.from(text).flatMap((character) => bytes.get(character) ?? []));
}

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  "windows-1250": [
    "Příjmení;Bydliště;Dluh\r\nŠvec;Písek;120\r\nČermák;Třebíč;80\r\n",
    "Schůze se koná ve středu v šest hodin večer ve společenské místnosti.",
    "Ulice;Číslo\r\nKřížová;12\r\nU Větrníku;3\r\n",
    "Výtah bude mimo provoz od pátku do neděle.",
    "Nazwisko;Ulica;Kwota\r\nWiśniewska;Źródlana;50\r\nDąbrowski;Żeromskiego;75\r\n",
    "Śmieci wywozimy w każdą środę, a szkło raz w miesiącu.",
    "Część;Sztuk\r\nłożysko;4\r\npodkładka;80\r\n",
    "Winda będzie nieczynna od piątku do niedzieli.",
    "Cím;Összeg\r\nRózsa utca hét;1200\r\nFő tér kettő;900\r\n",
    "Priezvisko;Obec\r\nHríb;Púchov\r\nĽalík;Štúrovo\r\n",
    "Prezime;Mjesto\r\nŠarić;Šibenik\r\nŽupan;Čakovec\r\n",
    "Şedinţa are loc miercuri la ora şase în sala mare.",
  ],
  "windows-1254": [
    "Soyadı;Mahalle;Borç\r\nGüneş;Şişli;120\r\nIşık;Beşiktaş;80\r\n",
    "Asansör cuma gününden pazara kadar çalışmayacaktır.",
    "Parça;Adet\r\nsomun;40\r\nçivi;200\r\nkaşık;12\r\n",
    "Çöpler her çarşamba, camlar ayda bir toplanır.",
    "Öğrenci;Not\r\nBuğra;85\r\nIrmak;90\r\n",
    "Aidat yıllık altı yüz liradır ve ocak ayında ödenir.",
    "Şube;Müdür\r\nÜsküdar;Tuğba Koç\r\nKadıköy;Barış Ateş\r\n",
    "Kapı kodu değişti, lütfen yöneticiye sorunuz.",
    "Yağmurlu günlerde bahçe kapalıdır.",
    "Ders;Saat\r\nFizik;dokuz\r\nTürkçe;on bir\r\n",
    "Giriş ücreti kişi başı yirmi liradır.",
    "İlçe;Nüfus\r\nÇankaya;900000\r\nKeçiören;930000\r\n",
  ],
  shift_jis: [
    "氏名,住所,金額\r\n伊藤健,大阪市北区,1200\r\n渡辺美咲,札幌市,800\r\n",
    "エレベーターは金曜日から日曜日まで停止します。",
    "部品,個数\r\nネジ,40\r\nボルト,25\r\n",
    "ごみは毎週水曜日に出してください。",
    "会費は年間六千円で、一月に支払う。",
    "担当,曜日\r\n小林,火曜\r\n中村,木曜\r\n",
    "図書館の休館日は月曜日です。",
    "住所録\r\n東京都新宿区西新宿\r\n",
    "商品,価格\r\n牛乳,210円\r\n食パン,180円\r\n",
    "入口の暗証番号が変わりました。",
    "科目,時間\r\n数学,九時\r\n国語,十時\r\n",
    "雨の日は庭園を閉めます。",
  ],
  "windows-1252": ["Straße;Ort\r\nGänsemarkt;Lübeck\r\n", "Réunion générale à l’école mercredi.", "Año nuevo, niños y señoras: dirección."],
  "windows-1251": ["Лифт не работает с пятницы до воскресенья."],
  "euc-kr": ["엘리베이터는 금요일부터 일요일까지 운행하지 않습니다."],
  gb18030: ["电梯从星期五到星期日停止运行。", "零件,数量\r\n螺丝,40\r\n"],
};

describe("the encoding of a text that does not tell it", () => {
  it.each(Object.entries(TEXTS).flatMap(([encoding, texts]) => texts.map((text) => [encoding, text] as const)))(
    "is found: %s, %j",
    (encoding, text) => {
      expect(decodeBytes(encode(text, encoding)).text).toBe(text);
    },
  );

  it("is found in a table whose first thousand lines are English", () => {
    const text = `Id;Note\r\n${"1;plain English words\r\n".repeat(1_000)}2;Řehoř Šťastný z Třebíče\r\n`;
    expect(decodeBytes(encode(text, "windows-1250"))).toEqual({ text, doubtful: null });
  });

  it("is named as guessed in what is said of the document if another is nearly as likely", async () => {
    const read = (bytes: Uint8Array) => createExtractor().extract({ bytes, mediaType: "text/plain", url: "note.txt" });
    expect((await read(Uint8Array.of(0x41, 0xe6, 0x42))).incomplete).toMatch(/encoding, which was guessed: \S+\. If letters are wrong/);
    expect(await read(encode(TEXTS["windows-1254"]?.[1] ?? "", "windows-1254"))).not.toHaveProperty("incomplete");
  });
});
