/** Texts without personal data that look as if they had some; the notation is that of `parse-rows.ts`. */
export const NUMBER_NEGATIVES = `
The meeting is on 2025-03-14 at 15:30.
Termin: 14.03.2025, 15:30 Uhr, Raum 4.12
Le 03/12/2024 ou le 12-03-2024, selon le format.
Born 1984-07-21, died 2019-11-02.
Ranges like 1914-1918 and 1939-1945 are in chapter 12.
*2 created_at: 2024-{{d:0%}}-1{{d:#}}T08:{{d:4#}}:{{d:3#}}.{{d:###}}Z
*2 epoch {{d:17########}}
*2 timestamp_ms={{d:17###########}}
backup-20241103-235901.tar.gz
IMG_20230817_142233.jpg
20250102T030405Z
令和6年12月31日 23:59
12.11.10 09:08:07
Fri, 21 Nov 2025 18:00:00 +0100
UTC+05:30 is half an hour off.
2024/2025 season, weeks 10-22
Released v1.2.3.4 today
upgraded from 10.0.19045.3803 to 10.0.22631.4037
Chrome/121.0.6167.160 Safari/537.36
version 4.18.0.25 of the firmware
Versionsnummer 2.10.0.7 installieren
AssemblyVersion("6.0.0.0")
.NET 4.8.9032.0 is required
"version": "3.1.4.1",
libfoo.so.1.2.3.4
OID 1.3.6.1.4.1.311.21.20
2.16.840.1.113883.6.96 is SNOMED CT
snmpwalk -v2c .1.3.6.1.2.1.1.5.0
See section 10.2.4.1 for details.
§ 4.2.1.3 der Satzung
Chapter 3.1.2.7: wiring
clause 12.1.1.4 applies
npm i left-pad@1.3.0 react@18.2.0-rc.1
semver ^2.0.0-beta.12+build.4471
python3.11.9-slim-bookworm
postgres:16.4-alpine3.20
kernel 6.8.0-49-generic
id: 3f2504e0-4f89-41d3-9a0c-0305e82c3301
*2 uuid {{hex8}}-{{hex4}}-4{{hex3}}-9{{hex3}}-{{hex12}}
*2 commit {{hex40}}
*2 sha256:{{hex40}}{{hex24}}
md5 = {{hex32}}
ETag: "{{hex16}}"
0x7ffee4b2c9d8
00000010: 4865 6c6c 6f20 576f 726c 6421 0a00 ffee
de ad be ef ca fe ba be
MAC 00:1A:2B:3C:4D:5E on port 12
bssid=f4:92:bf:0{{d:#}}:1{{d:#}}:{{d:2#}}
#ff8800 and #1234567f are colours
rgba(12, 34, 56, 0.7)
U+1F600 U+200D
*3 Order #{{d:##########}} has shipped.
*2 Order no. {{d:###-#######-#######}} (marketplace)
*2 Your order {{d:%########}} is ready for pickup
*2 Bestellnummer: {{d:%#########}}
*2 Rechnungsnummer {{d:20######%}}
Rechnung Nr. {{d:2024-#####}} vom 03.02.2024
*2 Facture n° {{d:########}}
Commande {{d:%#########}} expédiée
*2 Número de pedido: {{d:%########}}
Factura {{d:########}} pendiente
Ordine n. {{d:%########}} del 5 maggio
Pedido nº {{d:%#########}} enviado
Bestelling {{d:%########}} is onderweg
Zamówienie nr {{d:%########}}
Ordernummer {{d:%########}}
注文番号：{{d:%#########}}
订单号{{d:2024##########}}
운송장번호 {{d:%###########}}
رقم الطلب {{d:%########}}
ऑर्डर नंबर {{d:%#########}}
Номер заказа {{d:%########}}
Sipariş no: {{d:%#########}}
*2 Ticket {{d:########}} closed
case number {{d:0########}}
*2 INC{{d:00#####}} / CHG{{d:00#####}}
*2 Tracking number 1Z{{d:999AA1}}{{d:##########}}
*2 USPS tracking 9400 1{{d:### #### #### #### ####}}
FedEx {{d:7###########}}
DHL Sendungsnummer {{d:00340434##########}}
Colissimo 8R{{d:###########}}
Royal Mail AB{{d:#########}}GB
Customer ID {{d:%########}}
*2 customer number: {{d:%#######}}
Kundennummer {{d:%########}}
numéro client {{d:%########}}
Número de cliente: {{d:%#######}}
Klantnummer {{d:%#######}}
numero cliente {{d:%########}}
会员编号 {{d:%########}}
member no {{d:%########}}
Policy number {{d:%#########}}
Versicherungsnummer der Police: {{d:%#########}}
contract {{d:%########}} renewed
Vertragsnummer {{d:%#########}}
*2 reference {{d:%########}}
ref: {{d:########}}/A
Aktenzeichen {{d:12 O ###/24}}
booking ref {{d:%########}}
PNR: X4KQ7T
flight LH {{d:4##}} seat 23C
employee id {{d:%#####}}
student number {{d:%#######}}
Matrikelnummer {{d:%######}}
user_id={{d:%#########}}
{"id": {{d:%#########}}, "parent_id": {{d:%#########}}}
{"orderId":"{{d:###########}}","total":"49.90"}
{"tweet_id":"{{d:1##################}}"}
*2 session_id={{d:%###############}}
chat_id: -{{d:100##########}}
thread {{d:%########}} archived
row_count={{d:%########}}
pid {{d:%####}} exited after {{d:%########}} ns
offset {{d:%#########}} of {{d:%#########}}
account manager no. 12
Our account has {{d:%########}} followers
*2 ISBN 978-3-16-1{{d:#####}}-{{d:#}}
ISBN-10: 0-306-40615-2
ISBN {{d:9780########%}}
ISSN {{d:%###-###%}}
EAN {{d:4006381######}}
UPC {{d:0123########}}
GTIN {{d:0401234#######}}
barcode {{d:8710398######}}
VIN 1HGCM82633A{{d:######}}
Fahrgestellnummer WVWZZZ1JZXW{{d:######}}
*2 IMEI {{luhn 35####0########}}
IMEI: {{luhn 49015420#######}}
ICCID {{luhn 8949###############}}
serial no. {{d:%###########}}
S/N {{d:%#########}}
Seriennummer: {{d:%###########}}
part no. {{d:555-###-####}}
Part number {{d:###-###-####}} is discontinued
P/N {{d:800-###-####}}-B
SKU {{d:%##-###-####}}
SKU: {{d:%#######}}
Artikelnummer {{d:%##.%##.##}}
Artikel-Nr. {{d:%#######}}
réf. produit {{d:%#######}}
IKEA {{d:%##.%##.##}}
LEGO set {{d:%####}}
model WH-1000XM5 / 27GL850-B
batch {{d:%#######}} lot {{d:%#####}}
LOT {{d:########}} EXP 2026-08
catalog no. {{d:%##-%###-%##}}
NDC 0002-{{d:####-##}}
CAS 7732-18-5, 50-78-2
EC 1.1.1.27
DOI 10.1038/s41586-020-{{d:####}}-{{d:#}}
doi:10.1000/182
arXiv:{{d:2###.#####}}v2
PMID {{d:%#######}}
US Patent 10,{{d:###,###}} B2
EP {{d:3######}} A1
ORCID 0000-0002-{{d:####-####}}
RFC 5321, RFC 9110
ISO 9001:2015, DIN EN 60529
52.520008, 13.404954
48°51'24.0"N 2°21'03.0"E
lat=-33.865143 lon=151.209900
40.7128° N, 74.0060° W
geo:37.786971,-122.399677
X=451234.12 Y=5411789.33 (EPSG:25832)
$1,234,567.89
USD {{d:%##.%##.##%,00}}
1.234.567,89 EUR
EUR 12 345 678,00
price: {{d:%####}}.99
₹ 12,34,56,789
¥{{d:%##,###,###}}
Population: 8,336,817 (2022), 331 449 281 in total
The world had 8 045 311 447 people then.
Umsatz 2023: 123 456 789 Euro
about 384,400,000 metres
speed of light 299792458 m/s
6.02214076e23 and 1.602176634e-19
pi = 3.14159265358979323846
2147483647 and 4294967295 are limits
9007199254740991 is Number.MAX_SAFE_INTEGER
18446744073709551615
1234567890
0123456789
123456789
987654321 is the reverse
111111111 * 111111111 = 12345678987654321
12! = 479001600
2^31 - 1 = 2147483647
1000000007 is a popular prime
fibonacci: 1 1 2 3 5 8 13 21 34 55 89 144 233 377 610 987
1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
numbers 10 20 30 40 50 60 70 80 90 100
matrix [[1,2,3],[4,5,6],[7,8,9]] is singular
12 34 56 78 90 12 34 56 (hex nibbles)
9 × 111111111 = 999999999
3:0, 2:1, 1:1, 4:3 n.V.
6-4 3-6 7-6 6-2
score 108-102 (28-24, 30-22, 25-31, 25-25)
1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O
1:02:33.471 lap, 1:01:59.882 best
marathon 2:01:09, half 58:33
11-22-33-44-55-66 lottery
Lotto 6 aus 49: 3 17 22 31 40 44
5 10 15 20 25 30
scale 1:50000, ratio 16:9, 4:3
aspect 2.35:1
7-day avg 1 204.5 (min 998.2, max 1 411.0)
room 415-212, ext 4521
extension 5512
Durchwahl -4711
Zimmer 3.014, Gebäude 30.22
Press 1 for sales, 2 for support
dial 911 in an emergency, 112 in Europe
call 311 for city services
Text HELP to 40404
shortcode 72345
platform 9 3/4, gate B22
PLZ 10115 Berlin
75008 Paris
London SW1A 1AA
postcode 1012 AB Amsterdam
ZIP 94103-1234
CEP 01310-100
〒150-0002 東京都渋谷区
110001 New Delhi
P.O. Box {{d:%####}}
12345 Main Street, Apt 678
B-AB 1234
AB-123-CD
plate 7ABC123
Kennzeichen M-XY 4711
VAT DE{{d:#########}}
USt-IdNr. DE{{d:#########}}
TVA FR{{d:###########}}
P.IVA {{d:0##########}}
EIN {{d:%#-#######}}
NIF {{d:########}}Z
DNI 12345678Z
SIRET {{d:### ### ### 000##}}
SIREN {{d:### ### ###}}
HRB {{d:%#####}} Amtsgericht Köln
Steuernummer {{d:##/###/#####}}
Steuer-ID {{d:%## ### ### ##}}
ABN {{d:%# ### ### ###}}
CNPJ {{d:##.###.###}}/0001-{{d:##}}
CPF {{d:###.###.###-##}}
Aadhaar {{d:%### #### ####}}
GSTIN 27AAPFU0939F1ZV
NHS number {{d:9## ### ####}}
NINO AB{{d:######}}C
codice fiscale RSSMRA85T10A562S
CURP GODE561231HDFRRN09
BSN {{d:%########}}
Personnummer 19811218-9876
PESEL {{d:44051401###}}
身份证号 11010519491231002X
driver's license D{{d:#######}}
licence no. MORGA753116SM9IJ
NPI 1{{d:#########}}
MRN {{d:0#######}}
DEA AB{{d:#######}}
LEI 529900T8BM49AURSDO55
BIC DEUTDEFF500
SWIFT code CHASUS33XXX
ISIN US0378331005, WKN 865985
CUSIP 037833100
SEDOL 0263494
bitcoin 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa
ETH 0x{{hex40}}
`;
