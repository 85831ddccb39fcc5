/** Longer texts with personal data among other numbers; the notation is that of `parse-rows.ts`. */
export const DOCUMENT_ROWS = String.raw`
Ticket 4481923 | Priority 2 | Opened 2025-02-03 11:20\nCustomer: Helen Park ([[m:helen.park@orchardmail.net]])\nCallback: [[p:(206) 555-01{{d:##}}]]\nOrder 1182-4401-9937 never arrived; tracking 1Z999AA10123456784. Refund 84.50 USD to card {{luhnmark 4### #### #### ####}}.
INVOICE No. 2025-00981\nDate 12.01.2025 Due 26.01.2025\nCustomer no. 40018271\n3 x WH-220 @ 19,90 EUR = 59,70 EUR\nVAT 19 %: 11,34 EUR, USt-IdNr. DE{{d:#########}}\nIBAN {{iban4 DE}}\nBIC NOLADE21XXX\nTel. [[p:+49 511 {{d:3#####}}]]
CURRICULUM VITAE\nMarta Nowak\nul. Długa 12/4, 00-238 Warszawa\ntel. [[p:+48 512 {{d:### ###}}]]\ne-mail: [[m:marta.nowak.cv@interia.pl]]\n2016-2019 Politechnika, 2019-2024 Analityk\nPESEL 85010112345
LEASE AGREEMENT\nTenant: Gary Stone, SSN [[s:{{ssn -}}]], phone [[p:312-555-01{{d:##}}]]\nUnit 4B, 1200 W Adams St, Chicago, IL 60607\nRent $2,150.00 due on the 1st; late fee $75.\nDeposit refunded to account [[b:{{d:%########}}]], routing [[b:{{aba}}]].
> On 3 May 2024, at 17:22, Li Na <[[m:li.na@hutong.cn]]> wrote:\n>> Thanks! My new number is [[p:+86 139 {{d:#### ####}}]].\n> Got it.\n-- \nTom Baker | Sales\n+1 letter short of a title\nD [[p:+1 617 555 01{{d:##}}]] | [[m:tbaker@harborlight.com]]
[10:02] ana: hey my card got declined again\n[10:02] bot: which one?\n[10:03] ana: {{luhnmark 5218 #### #### ####}} exp 11/27\n[10:04] bot: please never post that here
--- a/config.yml\n+++ b/config.yml\n@@ -12,4 +12,4 @@\n-  host: [[i:{{v4}}]]\n+  host: [[i:{{v4}}]]\n   version: 2.14.0.1\n   admin: [[m:ops@quarry.dev]]
users:\n  - name: Rita\n    email: [[m:rita@lemon.tree.org]]\n    phone: "[[p:+351 912 {{d:### ###}}]]"\n    last_ip: [[i:{{v4}}]]\n  - name: Omar\n    email: [[m:omar.h@sahara.ma]]\n    phone: "[[p:+212 661 {{d:######}}]]"
id;name;tel;iban;joined\n1;Ott;[[p:+372 5{{d:### ####}}]];{{iban EE}};2020-02-01\n2;Liis;[[p:+372 5{{d:### ####}}]];{{iban LT}};2021-07-15
| Name | Passport | Flight | Seat |\n|---|---|---|---|\n| J. Smith | [[t:{{d:5########}}]] | BA0117 | 12A |\n| A. Jones | [[t:{{d:5########}}]] | BA0117 | 12B |
Dear hotel, we arrive on 14/08/2025 for 3 nights, booking 882 119 023.\nPassport numbers: [[t:{{d:##@@#####}}]] (me) and [[t:{{d:##@@#####}}]] (my wife).\nReach us on [[p:+33 6 {{d:## ## ## ##}}]].
2025-03-07T10:11:12.345Z app[web.1]: at=info method=POST path="/v1/users/88421/orders" request_id=3f2504e0-4f89-41d3-9a0c-0305e82c3301 fwd="[[i:{{v4}}]]" dyno=web.1 connect=0ms service=38ms status=201 bytes=1204
Mar  7 10:11:12 gw kernel: [123456.789012] DROP IN=eth0 MAC=00:16:3e:5e:6c:00 SRC=[[i:{{v4}}]] DST=[[i:{{v4}}]] LEN=60 TTL=51 ID=54321 PROTO=TCP SPT=443 DPT=50122 WINDOW=64240
const customer = { name: 'Iris', email: '[[m:iris.k@lavender.io]]', card: '{{luhnmark 4###############}}', createdAt: 1718102400000 };
customer.setPhone("[[p:+44 7700 900{{d:###}}]]"); // order 100023441, v2.3.1
Patient: Robert Hale  MRN 00482211  DOB 11/23/1956\nSSN [[s:{{ssn -}}]]  Ins. policy XGH448812901\nContact daughter Amy at [[p:503-555-01{{d:##}}]].\nBP 142/88, glucose 118 mg/dL, visit 2024-10-30.
Gentile cliente, il bonifico di 1.250,00 € del 03/02/2025 (CRO 12345678901) sul conto {{iban IT}} non è andato a buon fine. Chiami lo [[p:06 {{d:6### ####}}]] o scriva a [[m:assistenza@bancafittizia.it]].
Estimado Sr. Gil: su pasaporte [[t:{{d:@@@######}}]] caduca el 12/09/2025. Expediente 2025/004512. Llame al [[p:91 5{{d:## ## ##}}]].
尊敬的客户：您的订单20240512001832已发货，快递单号SF1234567890123。如有疑问请拨打[[p:138{{d:########}}]]或发邮件至[[m:kefu@shangpin.cn]]。
お客様番号 00482193\nご注文日 2025/01/15\nお電話番号 [[p:03-5{{d:###-####}}]]\nメール [[m:sato.h@nifty.ne.jp]]\nお支払い {{luhnmark 3540############}}
Betreff: Kündigung Vertrag 7741-2291\nSehr geehrte Damen und Herren,\nhiermit kündige ich zum 30.06.2025. Kundennummer 9918273. Erstattung bitte auf {{iban4 DE}}.\nKlaus Werner, Tel. [[p:0351 {{d:4######}}]]
DB dump 2024-12-31: (1,'Eve','[[m:eve@moth.email]]','[[i:{{v4}}]]','2024-12-30 23:59:59'),(2,'Max','[[m:max@moth.email]]','[[i:{{v6}}]]','2024-12-31 00:00:01')
WIRE INSTRUCTIONS\nBank: Prairie Trust, 400 Main St, Fargo ND 58102\nABA: [[b:{{aba}}]]\nAccount: [[b:{{d:%##########}}]]\nSWIFT: PRTRUS44\nReference: INV-20931 / PO 4500018823
BEGIN:VCARD\nVERSION:4.0\nN:Silva;Rui;;;\nEMAIL:[[m:rui.silva@quinta.pt]]\nTEL;VALUE=uri:tel:[[p:+351-21-{{d:3##-####}}]]\nREV:20240101T120000Z\nEND:VCARD
GET /search?q=shoes&page=2&user=[[m:pia@birch.fi]]&ip=[[i:{{v4}}]]&ts=1718102400 HTTP/1.1\nHost: shop.example\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0
Guest registration\nSurname: Dupont\nPassport no.: [[t:{{d:##@@#####}}]]\nNationality: French\nArrival: 01.06.2025 Room: 412\nMobile: [[p:+33 7 {{d:## ## ## ##}}]]\nCard: {{luhnmark 4970 #### #### ####}}
`;

/** Longer texts without personal data. */
export const DOCUMENT_NEGATIVES = String.raw`
Changelog\n## 4.18.2 - 2024-03-25\n- bump body-parser@1.20.2 (#5512)\n- fix for CVE-2024-29041, see GHSA-rv95-896h-c2vc\n## 4.18.1.3 - 2022-10-08
INVOICE 2024-88213\nDate: 03/11/2024\nPO 4500018823\nQty 12 @ 4.95 = 59.40\nTotal: 1,059.40 USD\nTerms: net 30
The 1969 mission flew 384,400 km in 4 days, 6 hours, 45 minutes and 39.9 seconds; Saturn V SA-506 weighed 2,822,171 kg.
| SKU | EAN | Qty | Price |\n|---|---|---|---|\n| 10-4471-22 | 4006381333931 | 12 | 3.99 |\n| 10-4472-19 | 5901234123457 | 4 | 12.49 |
{"build":"20241103.7","commit":"9fceb02d0ae598e95dc970b74767f19372d61af8","version":"2.4.1.0","sizeBytes":104857600,"duration":1234567890}
SELECT id, total FROM orders WHERE id IN (100023441, 100023442, 100023443) AND created_at > '2024-11-01 00:00:00' LIMIT 1000;
In 1821 the population was 1,038,095; by 1871 it was 2,362,015, and in 1921 about 4 470 000.
2024-11-03 10:22:31.123 [main] INFO c.a.App - started in 3.412 seconds (JVM running for 4.001), pid 28713, heap 536870912
Der Fluss ist 2857 km lang, das Einzugsgebiet 801 463 km², der mittlere Abfluss 6855 m³/s (Stand 12/2019).
Le budget 2024 s'élève à 1 234 567 890 euros, soit 3,4 % de plus qu'en 2023 (1 193 972 814 euros).
El pedido 4500123456 del 12/05/2024 incluye 3 unidades del artículo 8410-1122-33 por 1.234,50 €.
git log --oneline\n1a2b3c4 fix: 10.2.3.4 section link\n9f8e7d6 chore: bump to 3.2.1.0
FEN rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1 after 1. e4; rated 2847 vs 2796 on 2024-04-21
Recipe: 250 g flour, 2 eggs, 500 ml milk, 1/2 tsp salt. Bake at 180 C for 25-30 minutes. Serves 4-6. Calories 312 per 100 g.
Question: A farm has 125 cows and 3 times as many hens. Each hen lays 280 eggs a year. How many eggs? 125*3*280 = 105000.
Flight AF1234 departs 07:25 gate K31, arrives 09:10; Airbus A321-212 registration F-GMZA, booking X4KQ7T, seat 23C.
Train ICE 1023 fährt um 14:28 von Gleis 12; Fahrkartennummer 8812 4471 99; Sitz 61, Wagen 24.
Serial: 5CD1234XYZ, Model 15-dw3000, Product No. 2Q9H1EA#ABD, BIOS F.61, Service ID 4471-8823.
curl -X POST https://api.example.com/v2/items/100023441 -H 'Content-Type: application/json' -d '{"qty": 12, "price": 1999}'
@font-face { font-family: X; src: url(x.woff2?v=4.7.0.1); unicode-range: U+0000-00FF, U+0131, U+0152-0153; }
Sports: Lakers 112-108 Celtics; Nadal d. Federer 6-4 6-7(5) 6-4 6-7(3) 9-7; Bolt 9.58, 19.19.
Bus 1-9-12 runs every 10-12-15 minutes between 05:30-23:45, daily except 24-25-26 December.
Coordinates of sites: 51.5007 -0.1246; 48.8584 2.2945; 40.6892 -74.0445; 35.6586 139.7454.
lot,serial,date,qty\n20240117,004481923001,2024-01-17,40\n20240118,004481923002,2024-01-18,38
assert add(123456789, 987654321) == 1111111110
const MAX = 9_007_199_254_740_991; const MASK = 0xffffffff; const ID = 4155550123n;
The paper (doi:10.1145/3292500.3330701, arXiv:1907.10902v1) was cited 1234 times; pp. 2623-2631.
Heute: 6 Grad, 1013 hPa, Wind 12-18 km/h, Niederschlag 0,4 mm; Sonnenaufgang 07:12, Sonnenuntergang 16:48.
US 10-K page 47: net sales 383,285 394,328 365,817; gross margin 169,148 170,782 152,836.
Phone: 6.1-inch display, 2532 x 1170 pixels at 460 ppi, 3279 mAh, model A2633, 173 g.
Our office hours: Mon-Fri 9:00-17:30, Sat 10:00-14:00. Support tickets are numbered 100000-999999.
Route 10.20.30.40 of the hiking guide (section 10, stage 20) climbs 1,240 m.
日本の人口は124,352,000人（2023年10月1日現在）、面積は377,975平方キロメートル。
2023年营业收入为1,234,567,890元，同比增长12.3%，每股收益0.98元，证券代码600519。
बजट 2024-25 में 48,20,512 करोड़ रुपये का प्रावधान है।
يبلغ عدد السكان 105,914,499 نسمة حسب تعداد 2023، والمساحة 1,010,408 كم².
`;
