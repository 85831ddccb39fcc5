/** Further texts without personal data that look as if they had some: shapes, placeholders, codes, scores. */
export const SHAPE_NEGATIVES = String.raw`
XXX-XX-XXXX
SSN: ***-**-6789
SSN format is NNN-NN-NNNN
ssn: xxx-xx-1234
enter your SSN (###-##-####)
SSN 000-12-3456 is invalid
*2 SSN 666-{{d:%#-%###}}
*2 ITIN 9{{d:##-7#-%###}}
SSN {{d:%##}}-00-{{d:%###}} cannot exist
SSN {{d:1##}}-{{d:%#}}-0000 cannot exist
the Woolworth wallet number 078-05-1120
987-65-4320 is reserved for advertising
*2 {{d:%########}}
The number {{d:%########}} came up.
9 digits: {{d:### ### ###}}
card ending in 4242
Visa ****1234
**** **** **** 9876
4111-11XX-XXXX-1111
xxxx-xxxx-xxxx-0005
card ending 1005 expires 12/26
MasterCard •••• 4444
*3 card {{notluhn 4### #### #### ####}} rejected: bad check digit
*2 {{notluhn 5412 #### #### ####}}
*2 {{notluhn 37#############}}
*3 transaction {{luhn 8###############}}
*2 job id {{luhn 19##############}}
*2 trace {{notluhn 4###############}}
order {{luhn 71############}}
*2 {{notluhn 6011############}}
gift card code 7XQP-99KD-12LM-44WE
license key 12345-67890-ABCDE-FGHIJ
coupon 1234-5678-9012-3456
*2 IBAN {{badiban DE}}
*2 {{badiban GB}}
{{badiban FR}} fails mod 97
DE00 1234 5678 9012 3456 78
RF18 5390 0754 7034
GB 123 4567 89
NL123456789B01
US12345678901234567890
MX24 is not an IBAN country
ZZ99 1234 5678 9012 3456
account ending in 4321
Konto ****4711
account: xxxxxx7788
my account is locked since 2024-11-02
account balance 12345678.90
account age 1234567 seconds
accounts receivable 10,234,567
bank holiday 2025-05-26
routing table has 102103104 entries
routing key 1021031042 in RabbitMQ
route number 100200300
swift build 60012345
checking 123456789 rows
checking account types in module 11223344
Passport.js 0.7.0 uses passport-local@1.0.0
passport photo 35x45 mm
US passport card fee $30
passport control at gate 12345678
Passport renewal takes 6-8 weeks; form DS-82
Nissan Passport 2024
music passport event 20241130
passport stamps from 123 countries
the passport office phone line is busy
new passport rules from 20250101
Passierschein A38
visa application fee 185
A1234567
C01X00T47
12AB34567
Model AB1234567 is new
flight code AA1234567 on the board
product K1234567
@jack and @jill went up
@types/node@20.11.0
logo@2x.png, icon@3x.webp
npm install @scope/pkg@1.2.3
me@ is not an address
user@localhost
foo@bar
ssh admin@server
a@b
name@domain (without dot)
@media (min-width: 600px)
@Component({ selector: 'app' })
#hashtag @mention
price @ 12.50 each
10 widgets @ $3.99
meet @ 5.30pm
jane at the example dot
he is at home dot com is dead
[at] [dot] are used against spam
example@
@example.com
*@*.com
/^[^@\s]+@[^@\s]+\.[^@\s]+$/
regex: \d{3}-\d{2}-\d{4}
(\d{1,3}\.){3}\d{1,3}
pattern="[0-9]{3}-[0-9]{3}-[0-9]{4}"
format (###) ###-####
(XXX) XXX-XXXX
+1 (___) ___-____
phone: n/a
Tel.: folgt
phone number field is required
IP address field must not be empty
x.x.x.x
a.b.c.d
255.255.255.0
netmask 255.255.255.240
0.0.0.0
127.0.0.1
http://127.0.0.1:3000/
listen on ::1
bind 0.0.0.0:8080
1.2.3.4.5
256.300.1.2
999.999.999.999
10.0.0
192.168
3.14.15
IP rating IP67, IP68
12:34:56
std::vector<int>
std::map::iterator
a::b::c
Foo::Bar
::before { content: ""; }
::-webkit-scrollbar
10::20
1:2:3
face:b00c
dead:beef
time 10:20:30:40
00:00:12,500 --> 00:00:15,000
bible John 3:16-18
aspect-ratio: 4/3; z-index: 2147483647;
margin: 10px 20px 30px 40px;
font: 400 16px/24px Arial
transform: translate3d(0, 0, 0) scale(1.25)
M10 10 H 90 V 90 H 10 L 10 10
viewBox="0 0 1200 630"
d="M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10"
grid 100-200-300
a-1234-5678
555
5551234567890123
v20240115.1
build 20240115.3
release-2024.04.15.1
1.0.0-alpha.1
sklearn 1.4.2, numpy 1.26.4, torch 2.2.1+cu121
CUDA 12.4.131
Ubuntu 22.04.4 LTS
iOS 17.4.1 (21E236)
Bluetooth 5.3, Wi-Fi 802.11ax
H.264, MPEG-4, 1920x1080, 59.94 fps
1920 1080 3840 2160
12V 5A 60W
M8x1.25x30 DIN 912
6205-2RS 25x52x15
10-32 UNF
AWG 12-14
Boeing 737-800, A320-200
Airbus A350-1041
Saturn V S-IVB-506
NGC 7000, M31
HIP 12345, HD 209458 b
J1939+2134
4:33 by Cage
Op. 27 No. 2
BWV 1004
K. 551
Isaiah 40:28-31
SGD 1.80 2.40 3.60
1,5 Liter, 0,33 l, 750 ml
2.5.1.1 Scope
1.1.1.1 Purpose of this part
Table 3.2.1.4 lists the loads
Abbildung 2.3.4.5 zeigt den Aufbau
Kapitel 1.2.3.4
Annex 5.4.3.2
section 192.168 of the code
article 10.10.10.10
paragraphs 8.8.8.8 to 8.8.8.11 of the statute
step 1.2.1.3 failed
42 U.S.C. 1983
29 CFR 1910.1200
410 U.S. 113 (1973)
Case 1:24-cv-01234
BGBl. I S. 2954
BverfGE 65, 1
2 Cor 4:16-18
Q3 2024: 1,234 1,456 1,789 2,012
2019 2020 2021 2022 2023 2024
10 11 12 1 2 3 4 5
1999-2004-2009-2014
200-400-800 m
80-90-60
90/60/90
120/80 mmHg, pulse 72
HbA1c 48 mmol/mol
LDL 3.1, HDL 1.4, TG 0.9
ICD-10 E11.9, F32.1
SNOMED 73211009
LOINC 2345-7
CPT 99213
gene BRCA1 c.68_69delAG
chr7:140453136-140453137
rs1799853
GenBank NM_000546.6
PDB 1TUP
GSE12345678
Dow 38,989.83 (+0.23%)
EUR/USD 1.08452 1.08467
BTC 67,432.11
S&P 500 5,137.08
1/2 3/4 7/8
50/50, 80-20
1-0-1 dosage, 2 x 500 mg
tel-aviv-2024-report
call_count: 4155550
callback(null, 5551234)
phone_model: SM-G991B
mobile first, 360 640 768 1024 1280
fax machine model 2840-1234
cell B12:C45
cells A1:Z9999
number 5 is alive 1986
Unit 731, Area 51, Route 66
Studio 54, Apollo 11, Boeing 747
M25 junction 10-12
US-101 N exit 429B
5-1-1 traffic
24/7/365
9-to-5
7-Eleven
4-4-2 formation
36-24-36
1-800 sounds like a toll-free prefix
area code 415
dialling code +44
country code +49 is Germany
prefix 0800
UTC-8, GMT+1
+100 points
+5000 XP
-273.15
+0.5 dB at 1000 Hz
score +12 -3
*2 Meter reading {{d:%#####}} kWh on 01.02.2025, meter no. {{d:%#######}}
*2 Zählernummer {{d:%#########}}
*2 Apartment {{d:%##}}, floor 12, entry code {{d:%###}}#
*2 OTP {{d:######}} is valid for 10 minutes
*2 Your verification code: {{d:###-###}}
*2 Wi-Fi password: {{d:%#########}}
*2 transaction ID {{d:%###########}}, amount 12.00
*2 receipt {{d:####-####-####}}
*2 invoice number {{d:%########}} is overdue since 2024-12-01
*2 Frequent flyer no. {{d:9922############}}
*2 warranty claim {{d:%#########}}
*2 {{d:%##}}-{{d:##}}-{{d:%###}} is our internal project number
*2 device id {{d:###############}}
*2 job {{d:%###}}-{{d:%###}}-{{d:%###}} finished in {{d:%###}} ms
*2 Telefonbuch 2024, Seite {{d:%##}}-{{d:%##}}
*2 Callback URL returned {{d:5##}} after {{d:%#######}} us
`;
