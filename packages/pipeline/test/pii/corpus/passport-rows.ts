/** Texts with passport numbers of many countries; the notation is that of `parse-rows.ts`. */
export const PASSPORT_ROWS = String.raw`
Passport: [[t:{{d:5########}}]]
US passport number [[t:{{d:4########}}]], expires 08 MAR 2031
My passport no. is [[t:A{{d:########}}]] (new US format)
Passport # [[t:C{{d:########}}]], place of birth Ohio
*2 passport number: [[t:{{d:%########}}]]
Passport No [[t:{{d:12#######}}]] issued by HMPO
British passport [[t:{{d:53#######}}]]
{"passport_number":"[[t:{{d:%########}}]]","nationality":"GBR"}
{"passportNo": "[[t:{{d:@@#######}}]]"}
Reisepassnummer: [[t:C{{k:########}}]]
Reisepass-Nr. [[t:C01X{{d:####}}7]]
Reisepass Nr.: [[t:L{{k:########}}]]
Mein Pass hat die Nummer [[t:CF{{k:#######}}]].
Passnummer [[t:C{{k:########}}]], gültig bis 04.05.2030
Österreichischer Reisepass [[t:P{{d:#######}}]]
Schweizer Pass Nr. [[t:X{{d:%######}}]]
Passeport n° [[t:{{d:##@@#####}}]]
Numéro de passeport : [[t:{{d:##@@#####}}]]
mon passeport ([[t:{{d:##@@#####}}]]) expire
passeport français [[t:{{d:1#@@#####}}]]
Pasaporte: [[t:{{d:@@@######}}]]
Número de pasaporte [[t:{{d:@@@######}}]], España
Pasaporte mexicano [[t:G{{d:########}}]]
Pasaporte argentino N° [[t:AA{{d:@######}}]]
N.º de pasaporte: [[t:{{d:@@######}}]]
Passaporto n. [[t:Y{{A}}{{d:#######}}]]
Il mio passaporto è [[t:YB{{d:#######}}]].
numero di passaporto [[t:AA{{d:#######}}]]
Passaporte: [[t:{{d:@@######}}]]
Número do passaporte [[t:F{{A}}{{d:######}}]]
Paspoortnummer [[t:N{{A}}{{d:######%}}]]
Paspoort: [[t:NX{{d:@####}}{{d:##%}}]]
Nr paszportu: [[t:E{{A}}{{d:#######}}]]
paszport [[t:EJ{{d:#######}}]] ważny do 2029
Passnummer: [[t:{{d:3#######}}]] (Sverige)
Pasnummer [[t:{{d:2########}}]] (dansk)
Norwegian passport no. [[t:{{d:3#######}}]]
Passin numero [[t:FP{{d:#######}}]]
Číslo pasu [[t:{{d:4#######}}]]
Útlevélszám: [[t:B{{A}}{{d:######%}}]]
Pașaport nr. [[t:05{{d:#######}}]]
Αριθμός διαβατηρίου [[t:A{{A}}{{d:#######}}]]
Паспорт № [[t:45 {{d:## ######}}]]
Загранпаспорт [[t:75 {{d:#######}}]]
серия и номер паспорта [[t:{{d:4### ######}}]]
Номер паспорта: [[t:F{{A}}{{d:######}}]]
Pasaport no: [[t:U{{d:########}}]]
パスポート番号：[[t:T{{A}}{{d:#######}}]]
旅券番号 [[t:TK{{d:#######}}]]
护照号码：[[t:E{{d:########}}]]
护照 [[t:G{{d:########}}]]
我的护照号是[[t:EA{{d:#######}}]]。
護照號碼 [[t:{{d:3########}}]]
여권번호: [[t:M{{d:########}}]]
여권 [[t:M{{d:###@####}}]]
جواز السفر رقم [[t:A{{d:########}}]]
رقم جواز السفر: [[t:N{{d:#######}}]]
पासपोर्ट नंबर [[t:Z{{d:#######}}]]
पासपोर्ट संख्या: [[t:M{{d:#######}}]]
Indian passport [[t:{{d:@#######}}]]
Passport No. [[t:K{{d:#######}}]], place of issue Chennai
מספר דרכון [[t:{{d:3#######}}]]
Australian passport [[t:P{{A}}{{d:#######}}]]
passport [[t:N{{d:#######}}]] (AU)
NZ passport [[t:L{{A}}{{d:######}}]]
Canadian passport [[t:{{d:@@######}}]]
Canadian passport number: [[t:A{{d:######}}AB]]
Brazilian passport [[t:{{d:@@######}}]]
South African passport [[t:A{{d:########}}]]
Nigerian international passport [[t:A{{d:########}}]]
Irish passport [[t:P{{A}}{{d:#######}}]]
Singapore passport [[t:K{{d:#######}}E]]
Philippine passport [[t:P{{d:#######}}A]]
Vietnamese passport: [[t:C{{d:#######}}]]
hộ chiếu số [[t:B{{d:#######}}]]
nomor paspor [[t:B{{d:#######}}]]
Thai passport [[t:AA{{d:#######}}]]
Pakistani passport [[t:{{d:@@#######}}]]
passport [[t:{{d:@@#######}}]] (BD)
Ukrainian passport [[t:FE{{d:######}}]]
Travel document: passport, number [[t:{{d:@@#######}}]]
Passport/ID: [[t:{{d:@########}}]]
Traveller 1: Wei Chen, DOB 1990-02-03, PPT [[t:E{{d:########}}]]
Traveler: Amy Poe\nPassport: [[t:{{d:6########}}]]\nExp: 2029-10-01
name,passport,dob\nIto,[[t:TR{{d:#######}}]],1988-01-02\nRoy,[[t:P{{d:#######}}]],1991-05-06
| Guest | Passport no. |\n| Ana | [[t:{{d:@@@######}}]] |
INSERT INTO guests (passport_no) VALUES ('[[t:{{d:##@@#####}}]]');
passport_no=[[t:{{d:@#######}}]]&visa=tourist
<passportNumber>[[t:{{d:%########}}]]</passportNumber>
passport: "[[t:{{d:@########}}]]"
Visa application: holder of passport [[t:{{d:@@#######}}]], citizen of Italy
I lost my passport ([[t:{{d:5########}}]]) in Lisbon
The consulate asked for my passport number, it's [[t:X{{d:%######}}]]
Old passport [[t:{{d:4########}}]], new passport [[t:A{{d:########}}]].
Please add passport details to booking KX7PQ2: [[t:{{d:@########}}]], exp 03/30.
passport no [[t:{{l}}{{d:#######}}]] typed on my phone
*2 {{mrz UTO}}
{{mrz D<<}}
{{mrz GBR}}
{{mrz USA}}
🛂 passport [[t:{{d:@########}}]]
Check-in desk noted passport [[t:{{d:@@#######}}]] for Mr. Sow.
ID type: Passport\nID number: [[t:{{d:@@#######}}]]
Document type: passport; document no.: [[t:{{d:##@@#####}}]]
Passport expiring 2026-01-09, no. [[t:{{d:%########}}]], bearer J. Quinn
`;
