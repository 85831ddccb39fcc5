/**
 * Texts with personal data of all types in letters, forms, logs, code and many languages, written after the
 * rules in four parts. The notation is that of `parse-rows.ts`.
 */
export const MIXED_ROWS = String.raw`
Subject: Lost luggage claim 2025-LH-88213\n\nHello,\nI flew LH1234 on 02 Feb and my suitcase (tag 0220-LH-448812) is missing. Please ring me on [[p:+49 172 {{d:#######}}]] or my wife on [[p:0172 {{d:#######}}]]. Refund to {{iban4 DE}}
Hi there! I'm Zoe, [[m:zoe.k@gmx.net]], booking under [[p:07911 {{d:######}}]]. We need 2 rooms, 14-17 June, budget 450-500 EUR.
WhatsApp me: [[p:+234 803 {{d:### ####}}]] / [[p:+234 706 {{d:### ####}}]]
Contract between Alder Ltd (Company No. 08812345, VAT GB123456789) and Jo Reed, passport no. [[t:{{d:5########}}]], resident at 4 Mill Lane, SW1A 2AA.
Nurse note: pt's SSN on file [[s:{{ssn -}}]], MRN 00124578, DOB 1/2/1950, tel [[p:(555) {{d:&##-####}}]], insurance ID W1234 56789.
def notify():\n    send_sms(to="[[p:+1{{d:415&######}}]]", body="code 123456")\n    send_mail("[[m:ops+alerts@acme.dev]]")
Exception in thread "main" java.net.ConnectException: Connection refused: /[[i:{{v4}}]]:5432 at line 1234
curl https://[[i:{{v4}}]]/v1/users/1234567890/orders/9876543210
{"event":"login","uid":1029384756,"ip":"[[i:{{v4}}]]","ts":1718102400123,"geo":[52.5200,13.4050]}
{"cust":{"fn":"Mo","ln":"Ali","tel":"[[p:00971 50 {{d:### ####}}]]","iban":"{{iban AE}}","pp":"n/a"}}
<person><name>Ida</name><phone type="mobile">[[p:+45 {{d:&# ## ## ##}}]]</phone><email>[[m:ida@firma.dk]]</email></person>
Merci de virer 450 € sur mon compte : {{iban4 FR}} (BIC AGRIFRPP). Sinon, appelez le [[p:06.{{d:##.##.##.##}}]].
Hola, soy Paco. Mi DNI es 12345678Z y mi tlf [[p:6{{d:## ## ## ##}}]]. El pasaporte es [[t:{{d:@@@######}}]].
Buongiorno, vorrei disdire l'abbonamento n. 12345678. Recapito: [[p:+39 338 {{d:#######}}]]; accredito su {{iban IT}}.
Oi, aqui é a Lia. Meu zap é [[p:(11) 9{{d:####-####}}]] e meu CPF 123.456.789-09.
Hoi, mijn nummer is [[p:06{{d:########}}]], rekening {{iban4 NL}}. Klantnummer 00123456.
Cześć, mój numer telefonu to [[p:{{d:6## ### ###}}]], a e-mail [[m:ola88@o2.pl]]. NIP 525-24-45-767.
Hej, mitt nummer är [[p:073-{{d:### ## ##}}]]. Personnummer lämnar jag inte ut.
こんにちは、山田です。携帯は[[p:080-{{d:####-####}}]]、メールは[[m:yamada@softbank.ne.jp]]です。会員番号は12345678です。
您好，我的银行卡号是{{luhnmark 621700#############}}，身份证不便提供，电话[[p:159{{d:########}}]]。
안녕하세요, 제 전화번호는 [[p:010-{{d:####-####}}]]이고 이메일은 [[m:kim@daum.net]]입니다. 주문번호 20240101-0001234.
السلام عليكم، رقم هاتفي [[p:+20 100 {{d:### ####}}]] وبريدي [[m:omar@mail.com]]
नमस्ते, मेरा पासपोर्ट नंबर [[t:{{d:@#######}}]] है और फोन [[p:+91 {{d:9#### #####}}]]।
Здравствуйте! Мой телефон [[p:8 903 {{d:### ## ##}}]], паспорт [[t:{{d:45## ######}}]], заказ 1234567.
Merhaba, telefon numaram [[p:0555 {{d:### ## ##}}]], IBAN {{iban4 TR}}.
Interview: Sam Hill — [[p:(312) {{d:&##-####}}]] — [[m:sam.hill@proton.me]] — 10:30–11:00, Zoom 812 3456 7890
RSVP to Kate ([[m:kate@kate.party]], [[p:020 7{{d:### ####}}]]) by 12/05/2025.
Gas meter: 12345678 (reading 00451). Account holder tel: [[p:01632 {{d:960###}}]]
Plumber 24h [[p:0800 {{d:### ####}}]]
T: [[p:+44 (0)20 {{d:7### ####}}]] M: [[p:+44 (0)7{{d:### ######}}]] F: [[p:+44 (0)20 {{d:7### ####}}]]
Ph: [[p:(03) {{d:9### ####}}]] Fax: [[p:(03) {{d:9### ####}}]] ABN 12 345 678 901
Phone (day): [[p:{{d:604-&##-####}}]] Phone (eve): [[p:{{d:604-&##-####}}]]
Tel. [[p:{{d:0123 4#####}}]] (AB), Fax -99
Rufnummer: [[p:+49.30.{{d:########}}]]
cell=[[p:{{d:&##&######}}]];home=[[p:{{d:&##&######}}]]
phone_number: "[[p:1{{d:&##&######}}]]"
"mobile_no": [[p:{{d:9#########}}]],
Mobile Number - [[p:{{d:+91 98### #####}}]]
Contact No [[p:{{d:0300 #######}}]]
CALL NOW [[p:1800-{{d:###-####}}]]
For help call [[p:1-800-{{d:&##-####}}]], Mon-Fri 9-5
My cc is {{luhnmark 4### #### #### ####}}, 04/29, 331
Please bill {{luhnmark 5454############}} exp 0728.
cardnumber={{luhnmark 4###############}}&exp=1228&cvc=123
PAN: {{luhnmark 3566 #### #### ####}}
tok_visa is not the number, this is: {{luhnmark 4000############}}
Amex card {{luhnmark 37##-######-#####}} (corporate)
The card on the account, {{luhnmark 6011-####-####-####}}, will expire.
I accidentally sent {{luhnmark 4### #### #### ####}} in plain text!!
карта {{luhnmark 5469 #### #### ####}} до 09/27
Wire to Chase, ABA [[b:{{aba}}]], acct [[b:{{d:%########}}]], ref 2024-118.
RTN: [[b:{{aba}}]] ACCT: [[b:{{d:%########}}]]
bank: Monzo, sort code [[?:04-00-04]], account number [[b:{{d:%#######}}]], ref DINNER
Direct debit from a/c [[b:{{d:%#######}}]] sort [[?:20-00-00]]
IBAN  {{iban4 DE}}  BIC  DEUTDEDB
Zahlbar auf Konto {{iban DE}} unter Angabe der Rechnungsnummer 2024-0815.
acct no [[b:{{d:%#########}}]] (savings)
My bank details: account [[b:{{d:%#######}}]], sort code [[?:12-34-56]].
UPI is lee@okaxis but A/c no [[b:{{d:%##########}}]] IFSC [[?:ICIC0001234]] works too
Salary account: [[b:{{d:%##########}}]], ICICI Bank
Passport #: [[t:{{d:@########}}]]  Exp: 01 JAN 2031
Pass-Nr.: [[t:C{{k:########}}]]
Passport copy attached (no. [[t:{{d:%########}}]]).
visa applicant, passport number: [[t:{{d:@@#######}}]]; I-94 12345678901
Travel docs: passport [[t:{{d:@#######}}]] (IND), OCI A1234567
Ticket holder passport = [[t:{{d:@@######}}]]
Name as in passport: LEE ANN; passport number: [[t:K{{d:########}}]]; DOB: 1990-01-01
SSN/ITIN: [[s:{{ssn -}}]]
ssn (last updated 2020): [[s:{{ssn -}}]]
SS Number [[s:{{ssn sp}}]]
My s.s.n. is [[s:{{ssn -}}]].
the social security number [[s:{{ssn}}]] belongs to the deceased
taxpayer id (SSN) [[s:{{ssn -}}]]
Our visitor IPs: [[i:{{v4}}]], [[i:{{v4}}]]; bots: [[i:{{v4}}]].
{{ts}} dropbear[312]: Child connection from [[i:{{v4}}]]:51234
ACL permit host [[i:{{v4}}]] any eq 443
X-Client-IP: [[i:{{v4}}]]
add [[i:{{v4}}]] to the allow list, remove [[i:{{v4}}]]
nmap -sV [[i:{{v4}}]]
His home IP is [[i:{{v6full}}]].
Reply-To: [[m:no-reply@service.example]], Return-Path: <[[m:bounce+123=lee@service.example]]>
mail [[m:a.b-c_d@sub.dom-ain.co.uk]]; not a@b
[[m:lee(at)uni(dot)edu]] is the old style, use [[m:lee@uni.edu]]
contact us at [[p:+55-12-345.6789]] for details
reach Dr. Roe at [[p:(02) 6543.9876]] now
Call [[p:03904 39 1147]] or [[p:056-9876 543210]]
dial [[p:0049.12 345-6789]]
Your one-time link was sent to [[m:k_99.lee@mail-9.example.co]] and [[p:+44-1632-960{{d:###}}]].
The ACH will post to checking ending aside: full number [[b:{{d:%#########}}]], bank Wells Fargo, routing [[b:{{aba}}]].
Loan application: applicant Jo Lee, SSN [[s:{{ssn -}}]], co-applicant SSN [[s:{{ssn}}]], income $85,000, account [[b:{{d:%#########}}]] (checking).
Passport: [[t:{{d:@########}}]], Visa: {{luhnmark 4###############}}
US Passport Card No. [[t:C{{d:########}}]]
I, Jo Lee, holder of British passport number [[t:{{d:5########}}]], authorise the release
Passport (USA) [[t:{{d:5########}}]] exp 2031
passport:[[t:{{d:@@#######}}]];dob:1990-01-01
Pasaporte Nº [[t:{{d:@@@######}}]] expedido el 03/04/2019
N° passeport: [[t:{{d:##@@#####}}]]
Ausweis- oder Passnummer: [[t:L{{k:########}}]]
passport_num: '[[t:{{d:%########}}]]'
PASSPORT NO. [[t:{{d:@#######}}]]
traveller_passport = "[[t:{{d:@@#######}}]]"
Document: Passport [[t:{{d:@@######}}]]
Please find my passport ID below: [[t:{{d:@########}}]].
server listening on [[i:{{v4}}]]:8080
ssh [[i:{{v4}}]] -l root
"clientIp":"[[i:{{v4}}]]"
proxy_pass http://[[i:{{v4}}]]:3000;
IPv6 address [[i:2a03:2880:f12f:83:face:b00c:0:25de]] (edge)
Host [[i:{{v4}}]] is up (0.013s latency).
Resolved to [[i:{{v4}}]] via [[i:{{v4}}]]
Gateway: [[i:192.168.0.1]], mask 255.255.255.0, DNS [[i:{{v4}}]]
login attempt [root/123456] from [[i:{{v4}}]] failed
{"src":"[[i:{{v4}}]]","dst":"[[i:{{v4}}]]","bytes":12345678}
My Visa number's {{luhnmark 4### #### #### ####}} and it expires on 11/28.
Kindly process payment for order 55-1234 with {{luhnmark 5424 #### #### ####}}
Corporate card on file: {{luhnmark 4###-####-####-####}}
"ccNumber": "{{luhnmark 4###############}}"
credit card:{{luhnmark 37#############}}
Mobile banking PIN sent to [[p:+91-{{d:98########}}]].
IBAN Code: {{iban IT}} Swift: UNCRITMM
account holder: Jo, acct: [[b:{{d:%#########}}]], aba: [[b:{{aba}}]]
Bank a/c: [[b:{{d:%##########}}]]
Direct Deposit Form: Routing # [[b:{{aba}}]] Account # [[b:{{d:%########}}]]
Bank Account Number: [[b:{{d:%###-####-###}}]]
Set up auto-pay from bank account [[b:{{d:%########}}]].
My SSN: [[s:{{ssn -}}]]. My DL: D1234567.
SSN [[s:{{ssn -}}]] / EIN 12-3456789
SSN......[[s:{{ssn -}}]]
social security number is [[s:{{ssn sp}}]], date of birth 1/1/1980
SSN: [[s:{{d:2##.5#.1###}}]]
soc.sec.# [[s:{{ssn -}}]]
My email's [[m:jo@x-y.org]]; backup: [[m:jo.2@x-y.org]]
Mail:[[m:jo@firma.at]]
e-mail=[[m:"jo lee"@x.org]]
(mailto:[[m:jo@x.org]])
"Jo Lee" <[[m:JO.LEE@X.ORG]]>
jo@localhost is not one; [[m:jo@host.local]] is
[[m:jo+tag@x.co.jp]],[[p:+81-3-{{d:####-####}}]]
FIRST NAME   LAST NAME   PHONE            SSN\nJo           Lee         [[p:(415) {{d:&##-####}}]]   [[s:{{ssn -}}]]
Name of applicant\nJo Lee\nTelephone number\n[[p:020 7{{d:### ####}}]]\nPassport number\n[[t:{{d:5########}}]]\nNationality\nBritish
1. Full name: Jo Lee\n2. Telephone: [[p:+353 1 {{d:4## ####}}]]\n3. Passport No: [[t:P{{A}}{{d:#######}}]]\n4. IBAN: {{iban4 IE}}
Statement of account\nAccount number: [[b:{{d:%#######}}]]\nSort code: [[?:09-01-28]]\n12 Jan TESCO STORES 3412 -45.20\n13 Jan SALARY ACME LTD +2,145.00
The suspect called the victim from [[p:07{{d:### ######}}]] at 21:14 and again at 21:20 on 3 May.
Claimant's date of birth is 4 May 1961, social security number [[s:{{ssn -}}]], last known phone [[p:{{d:&##-&##-####}}]].
@support my card {{luhnmark 4###############}} was charged twice!! #fail
anyone know who owns [[p:{{d:0117 ### ####}}]]? keeps calling me
[db]\nhost = [[i:{{v4}}]]\nuser = app\nport = 5432
# TODO remove before release\nADMIN = "[[m:boss@initech.biz]]"  # tel [[p:+1-{{d:512-&##-####}}]]
-- test data\nINSERT INTO contact VALUES (1,'Jo','[[p:+61 4{{d:## ### ###}}]]','[[m:jo@outback.com.au]]','2024-01-01');
COPY users (id, email, last_ip) FROM stdin;\n1\t[[m:a.b@c.org]]\t[[i:{{v4}}]]\n2\t[[m:d.e@f.org]]\t[[i:{{v4}}]]
Meine Daten: Jo Lee, Tel. [[p:0{{d:30}}-{{d:4#######}}]], Kontonr. [[b:{{d:%######}}]], BLZ [[?:10050000]]
Bankverbindung: Commerzbank, IBAN: {{iban4 DE}}, BIC: COBADEFFXXX
Notfallkontakt: Mutter, [[p:0{{d:176}} {{d:########}}]]
Personne à prévenir : Luc, [[p:07 {{d:## ## ## ##}}]]
Persona de contacto: Eva ([[p:6{{d:##-##-##-##}}]])
Il numero da chiamare è [[p:+39 02 {{d:8#######}}]].
Nº da conta: [[b:{{d:%#######-#}}]], agência 0123, banco Itaú
WhatsApp: [[p:55 11 9{{d:####-####}}]]
Bel me even op [[p:06 - {{d:## ## ## ##}}]]
Paspoort: [[t:N{{A}}{{d:######%}}]], geldig tot 2030
Numer telefonu kontaktowego [[p:+48 {{d:7## ### ###}}]]
Rachunek bankowy: {{iban4 PL}}
Telefonnummer hem: [[p:08-{{d:### ## ##}}]]
Bankgiro 123-4567, kontonummer [[b:{{d:%### ## #####}}]]
護照號碼是[[t:3{{d:########}}]]，電話[[p:09{{d:##-###-###}}]]
身份证丢了，先用护照[[t:E{{d:########}}]]登记，手机[[p:+86 13{{d:#########}}]]
口座：みずほ銀行 渋谷支店 普通 [[b:{{d:%######}}]]
携帯番号：[[p:070-{{d:####-####}}]]（折り返し可）
전화 주세요: [[p:02-{{d:&##-####}}]]
여권 번호는 [[t:M{{d:########}}]] 입니다
هاتف العمل: [[p:+966 11 {{d:4## ####}}]] تحويلة 12
رقم الحساب هو {{iban4 SA}}
दूरभाष: [[p:0{{d:11-2#######}}]]
Загранпаспорт: [[t:75 {{d:#######}}]], тел. [[p:+7 (9{{d:##) ###-##-##}}]]
Номер счёта [[b:40817810{{d:############}}]] в Сбербанке
Hesap numarası [[b:{{d:%########}}]], şube 123
SSN\n[[s:{{ssn -}}]]
SSN | [[s:{{ssn}}]] | DOB | 1970-01-01
Tax return: taxpayer SSN [[s:{{ssn sp}}]] spouse SSN [[s:{{ssn sp}}]]
I-9: [[s:{{ssn -}}]]
Credit card on file is Visa {{luhnmark 4###-####-####-####}} exp. 10/2027
Cards: {{luhnmark 4###############}}, {{luhnmark 5412############}}; {{luhnmark 6011############}}
Bill to AMEX {{luhnmark 3782 ###### #####}} (Jo Lee)
payment_method: card\nnumber: {{luhnmark 4###############}}\nexp_month: 12
He gave me his card no: {{luhnmark 5500 #### #### ####}} cvc 123.
Acct: [[b:{{d:%#########}}]] | Routing: [[b:{{aba}}]] | Type: checking
Electronic transfer, bank routing [[b:{{aba}}]], account [[b:{{d:%########}}]]
Refunds go to account ending 1234 unless you give the full account number, e.g. [[b:{{d:%#########}}]]
the iban ({{iban4 NL}}) bounced
passport (no. [[t:{{d:@@#######}}]]) lost at CDG
Passports: [[t:{{d:@########}}]], [[t:{{d:@########}}]]
pp no [[t:{{d:@#######}}]] passport holder Jo
passport number on the manifest reads [[t:{{d:@@#######}}]]
My wife's passport is [[t:{{d:%########}}]] and mine is [[t:{{d:%########}}]]
user=jo ip=[[i:{{v6}}]] ok
[[i:{{v4}}]] - jo [10/Oct/2024:13:55:36 -0700] "GET /a?x=1 HTTP/1.0" 200 2326
sudo ufw allow from [[i:{{v4}}]] to any port 22
Warning: Permanently added '[[i:{{v4}}]]' (ED25519) to the list of known hosts.
inet addr:[[i:192.168.{{oct}}.{{oct}}]]  Bcast:[[?:192.168.1.255]]  Mask:255.255.255.0
A record: [[i:{{v4}}]], TTL 3600, version 12
My public IP right now: [[i:{{v4}}]]
jo@[[i:{{v4}}]]'s password:
E-Mail-Adresse: [[m:jo.lee@uni-köln.de]]
Courriel : [[m:jo.lee@gouv.qc.ca]]
Correo electrónico: [[m:jo_lee@uned.es]]
Hi, it's Nadia from unit 12. The boiler's out again, can someone ring [[p:01273 {{d:######}}]]?
Pls update my profile - new cell [[p:{{d:347-&##-####}}]], old one was [[p:{{d:347-&##-####}}]]
Coach: Rob ([[p:{{d:07#########}}]]), Asst: Pat ([[p:{{d:07#########}}]])
Vet clinic +1 ext: [[p:+1 604-{{d:&##-####}}]]
Besteller: Frau Koch, Tel.-Nr. [[p:05{{d:21 / 3#####}}]]
Ansprechpartnerin Frau Koch, [[p:+49 (521) {{d:3#####}}-22]]
Standard : [[p:04 {{d:## ## ## ##}}]] ; ligne directe : [[p:04 {{d:## ## ## ##}}]]
Centralita [[p:93 {{d:### ## ##}}, ext. 204]]
numero verde [[p:800 {{d:######}}]]
Contato: [[p:+351 2{{d:1# ### ###}}]]
klantenservice [[p:0900-{{d:####}}]]
Vakttelefon: [[p:9{{d:## ## ###}}]]
Mobilnummer [[p:07{{d:# ### ## ##}}]]
Kontakt tel: [[p:+420 {{d:6########}}]]
Mob.tel: [[p:+36 20 {{d:### ####}}]]
Τηλ. επικοινωνίας [[p:69{{d:########}}]]
Телефон для связи: [[p:+380 (50) {{d:###-##-##}}]]
لأي استفسار: [[p:+973 3{{d:### ####}}]]
Liên hệ: [[p:09{{d:## ### ###}}]] (Zalo)
Hub. [[p:08{{d:##-####-####}}]] (WA)
โทร [[p:08{{d:#-###-####}}]]
联系方式：[[p:0755-{{d:8#######}}]]
客服热线[[p:400-{{d:###-####}}]]
代表電話 [[p:06-{{d:4###-####}}]]
고객센터 [[p:1588-{{d:####}}]]
Caller ID showed [[p:+1{{d:&##&######}}]], hung up after 3 s
sip:[[p:+4930{{d:1######}}]]@voip.example
tel URI tel:[[p:+1-201-555-0{{d:1##}}]];ext=123
SMS to [[p:0{{d:7#########}}]] failed (code 30003)
Lost cat! Reward! [[p:({{d:509) &##-####}}]]
Invoice to: [[m:ap@northwind-traders.example]], c/o Jo
login: [[m:jo@corp.example]] / pw: x
{"to":"[[m:jo@x.dev]]","cc":null}
[[m:jo@x.dev]]\t[[m:al@y.dev]]
Please remove <b>[[m:jo@x.dev]]</b> from the list
Hi [[m:jo@x.dev]],\nyour code is 123456
git@github.com:jo/dot.git is a remote; [[m:jo@jo.dev]] is me
Card: {{luhnmark 4###############}}CVV:123
Kartennr. {{luhnmark 4### #### #### ####}}, gültig bis 08/28
Nº tarjeta {{luhnmark 5470 #### #### ####}}
Numero carta: {{luhnmark 4###############}}
visa *1234 replaced by {{luhnmark 4### #### #### ####}}
I-9 doc: passport [[t:A{{d:########}}]]; SS card [[s:{{ssn -}}]]
Dokumentnummer Reisepass [[t:C{{k:########}}]]
Vegabréf / passport [[t:A{{d:#######}}]]
pass: [[t:{{d:##@@#####}}]] (passeport, France)
số hộ chiếu: [[t:C{{d:#######}}]]
หนังสือเดินทางเลขที่ [[t:AA{{d:#######}}]]
Passport Number\t[[t:{{d:@########}}]]
customer passport scan no [[t:{{d:%########}}]]
Checking acct [[b:{{d:%########}}]] at Chase, RTN [[b:{{aba}}]]
Konto nr [[b:{{d:8### ## #####}}]]
Rek.nr. {{iban4 NL}}
IBAN={{iban CH}}; amount=12.00
Virement : FR76 incomplet, le bon est {{iban4 FR}}
direct deposit a/c no. [[b:{{d:%#######}}]] sort code [[?:11-03-03]]
CLABE: [[b:{{d:01218000##########}}]]
銀行口座番号 [[b:{{d:%######}}]]
Bank of Baroda A/C [[b:{{d:%#############}}]]
Nomor rekening BCA: [[b:{{d:%#########}}]]
SSN: [[s:{{ssn -}}]] (US), SIN n/a
Soc Sec: [[s:{{ssn -}}]]
"ssn": [[s:{{ssn}}]], "state": "NY"
ssn_full,[[s:{{ssn -}}]]
Connection from [[i:{{v4}}]] port 443 reset by [[i:{{v4}}]]
Origin IP was [[i:{{v4}}]], not a VPN
rule: deny tcp host [[i:{{v4}}]] eq 23
whitelist [[i:{{v6}}]] please
[client [[i:{{v4}}]]:51234] AH01630: client denied
peer=[[i:{{v4}}]]:6881 up=12345 down=67890
`;
