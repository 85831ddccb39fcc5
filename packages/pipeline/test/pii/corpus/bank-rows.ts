/** Texts with bank accounts: IBAN and national forms; the notation is that of `parse-rows.ts`. */
export const BANK_ROWS = String.raw`
IBAN: {{iban4 DE}}
IBAN {{iban DE}}, BIC COBADEFFXXX
Bitte überweisen Sie den Betrag auf {{iban4 DE}}.
Kontoverbindung: {{iban4 AT}} bei der Erste Bank
Meine neue IBAN lautet {{iban4 CH}}
Virement sur le compte {{iban4 FR}} SVP
Coordonnées bancaires : {{iban FR}}
Transferencia a {{iban4 ES}}
Cuenta: {{iban ES}}
Bonifico su {{iban4 IT}}
IBAN {{iban IT}} intestato a Rossi
NIB/IBAN: {{iban4 PT}}
Overmaken naar {{iban4 NL}} t.n.v. De Vries
iban: {{ibanlower NL}}
{{iban4 BE}}
{{iban4 GB}}
Rekening {{iban BE}}
Konto {{iban4 PL}}
Nr konta: {{iban PL}}
Kontonr.: {{iban4 DK}}
IBAN {{iban4 SE}}
Kontonummer {{iban4 NO}}
Tilinumero {{iban4 FI}}
Číslo účtu {{iban4 CZ}}
{{iban4 SK}} Tatra banka
Számlaszám: {{iban4 HU}}
Cont IBAN: {{iban RO}}
IBAN {{iban4 BG}}
ΙΒΑΝ: {{iban4 GR}}
račun {{iban4 HR}}
TRR {{iban4 SI}}
IBAN {{iban4 RS}}
IBAN {{iban4 EE}}, {{iban4 LV}}, {{iban4 LT}}
IBAN: {{iban TR}}
الآيبان {{iban4 SA}}
رقم الآيبان: {{iban AE}}
IBAN {{iban4 QA}}
IBAN {{iban KW}}
IBAN {{iban4 BH}} / {{iban4 JO}}
IBAN {{iban4 IL}}
IBAN {{iban4 PK}}
IBAN {{iban4 UA}}
IBAN {{iban GE}} or {{iban KZ}}
IBAN {{iban4 LU}} {{iban4 MC}}
IBAN {{iban4 CY}}
MT account {{iban4 MT}}
iban {{ibanlower DE}} pls
IBAN: {{ibandash DE}}
{"iban":"{{iban DE}}","bic":"GENODEF1XXX"}
{"creditor":{"name":"Acme","iban":"{{iban FR}}"}}
<IBAN>{{iban NL}}</IBAN>
<Acct><Id><IBAN>{{iban AT}}</IBAN></Id></Acct>
iban={{iban IE}}&amount=12
INSERT INTO payees (iban) VALUES ('{{iban BE}}');
payee,iban\nLux SA,{{iban LU}}\nHelios,{{iban GR}}
| Miete | {{iban4 DE}} | 890,00 |
2024-11-01 SEPA credit 120.00 EUR from {{iban DE}} ref RF18539007547034
Invoice 2024-118\nTotal due: EUR 1,290.00\nIBAN: {{iban4 IE}}\nBIC: AIBKIE2D\nDue 30 days
Pay {{iban4 DE}} or {{iban4 CH}}, please.
My IBAN is {{iban GB}}.
({{iban FI}})
Konto-IBAN:{{iban4 DE}};BIC:MARKDEF1100
please transfer to IBAN {{iban SM}}
🏦 {{iban4 ES}} 🏦
*2 My account number is [[b:{{d:%#########}}]] and the routing number is [[b:{{aba}}]].
Routing: [[b:{{aba}}]]\nAccount: [[b:{{d:%########}}]]
ABA routing number [[b:{{aba}}]], acct [[b:{{d:%###########}}]]
ACH: RTN [[b:{{aba}}]] / checking [[b:{{d:%#########}}]]
Direct deposit to checking account [[b:{{d:%##########}}]] (routing [[b:{{aba}}]])
Bank account: [[b:{{d:%#######}}]]
Bank account no. [[b:{{d:%#########}}]]
*2 Acct # [[b:{{d:%#########}}]] at First Plains Bank
savings account [[b:{{d:%########}}]]
A/C No: [[b:{{d:%##########}}]] IFSC: [[?:HDFC0001234]]
Account No.: [[b:{{d:0%############}}]], IFSC [[?:SBIN0004567]], branch Pune
खाता संख्या: [[b:{{d:3##########}}]]
बैंक खाता नंबर [[b:{{d:5###########}}]]
Sort code [[?:20-14-53]], account number [[b:{{d:%#######}}]]
sort code: [[?:40-47-84]] acc no: [[b:{{d:%#######}}]]
Sort Code [[?:601613]] Account [[b:{{d:3#######}}]]
UK bank details: [[?:04-00-04]] [[b:{{d:1#######}}]]
BSB [[?:062-000]] Account [[b:{{d:1#######}}]]
BSB: [[?:033-088]] Acc: [[b:{{d:######}}]]
Transit [[?:00012]] institution [[?:003]] account [[b:{{d:1######}}]]
Compte bancaire n° [[b:{{d:%##########}}]]
Numéro de compte : [[b:{{d:%##########}}]]
Kontonummer: [[b:{{d:%#########}}]], BLZ [[?:37040044]]
Konto-Nr. [[b:{{d:%######}}]] bei der Sparkasse Ulm, BLZ [[?:630 500 00]]
Número de cuenta: [[b:{{d:%###########}}]]
número de cuenta bancaria [[b:{{d:%#########}}]]
CLABE [[b:{{d:0021##############}}]]
CLABE interbancaria: [[b:{{d:0121##############}}]]
Conto corrente n. [[b:{{d:%###########}}]]
Número da conta: [[b:{{d:%######-#}}]], agência 1234
Rekeningnummer [[b:{{d:%########}}]]
Numer konta: [[b:{{d:%# #### #### #### #### #### ####}}]]
Kontonummer [[b:{{d:1503 ## #####}}]]
Bankkonto: [[b:{{d:%#######}}]]
口座番号：[[b:{{d:%######}}]]
普通預金 [[b:{{d:%######}}]] みずほ銀行 渋谷支店
银行账号：[[b:{{d:1001############}}]]
银行账户 [[b:{{d:0200###########}}]]，开户行工商银行
계좌번호: [[b:{{d:110-%##-######}}]]
국민은행 계좌 [[b:{{d:%#####-##-######}}]]
رقم الحساب: [[b:{{d:%###########}}]]
رقم الحساب البنكي [[b:{{d:%#########}}]]
Расчётный счёт [[b:{{d:40702810%###########}}]]
р/с [[b:{{d:40817810%###########}}]] БИК 044525225
Hesap no: [[b:{{d:%#######}}]]
{"account_number":"[[b:{{d:%#########}}]]","routing_number":"[[b:{{aba}}]]"}
{"bankAccount": "[[b:{{d:%##########}}]]"}
bank_account_number: [[b:{{d:%########}}]]
account_no=[[b:{{d:%#########}}]]&bank=chase
INSERT INTO payroll (bank_acct, routing) VALUES ('[[b:{{d:%########}}]]', '[[b:{{aba}}]]');
<AccountNumber>[[b:{{d:%#########}}]]</AccountNumber>
Beneficiary account: [[b:{{d:%########}}]], SWIFT CHASUS33
Wire to account [[b:{{d:%#########}}]], ABA [[b:{{aba}}]], beneficiary Lee & Sons LLC
Please debit my bank account [[b:{{d:%#########}}]] on the 1st.
my chase acct is [[b:{{d:%########}}]]
The bank details on file (account [[b:{{d:%########}}]], sort code [[?:11-22-33]]) are out of date
Payroll goes to account number [[b:{{d:%########}}]] ending soon
bank acc: [[b:{{d:%#######}}]]
Deposit slip\nAcct name: R Patel\nAcct number: [[b:{{d:%#########}}]]
Account Number | [[b:{{d:%########}}]]
Bank: Zenith\nAccount name: Ada Obi\nAccount number: [[b:{{d:10########}}]]
GTBank [[b:{{d:01########}}]] Ada Obi
NZ account [[b:{{d:12-3###-0######-00}}]]
bank account number [[b:{{d:03-0###-0######-000}}]]
voided check shows routing no. [[b:{{aba}}]]
routing_number = "[[b:{{aba}}]]"
Routing Transit Number: [[b:{{aba}}]]
`;
