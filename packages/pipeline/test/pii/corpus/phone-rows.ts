/** Texts with telephone numbers in forms that the tables of formats don't have; notation as in `parse-rows.ts`. */
export const PHONE_ROWS = String.raw`
<a href="tel:[[p:+4420794605{{d:##}}]]">[[p:020 7946 05{{d:##}}]]</a>
<a href="tel:[[p:+1-650-555-01{{d:##}}]]">call</a>
[Call](tel:[[p:+33142681{{d:###}}]])
Dial [[p:(415) 555-01{{d:##}}]] or [[p:(415) 555-01{{d:##}} ext 4]].
Numbers: [[p:+44 7700 900{{d:###}}]], [[p:+44 7700 900{{d:###}}]]; [[p:+44 7700 900{{d:###}}]].
Numbers: [[p:202-555-01{{d:##}}]]/[[p:202-555-01{{d:##}}]]
Office [[p:+1 (303) 555-01{{d:##}}]], cell [[p:+1 (720) 555-01{{d:##}}]]
Smith, Jane\t[[p:(303) 555-01{{d:##}}]]\tDenver
name,phone,zip\nAl,[[p:202-555-01{{d:##}}]],20001\nBo,[[p:202-555-01{{d:##}}]],20002
{"phones":["[[p:+49 1512 {{d:#######}}]]","[[p:+49 30 {{d:3#######}}]]"]}
INSERT INTO leads(name, tel) VALUES ('Ng', '[[p:+65 9{{d:###}} {{d:####}}]]');
phone: [[p:+61 2 9{{d:###}} {{d:####}}]]\nfax: [[p:+61 2 9{{d:###}} {{d:####}}]]
ticket 88213: caller [[p:617-555-01{{d:##}}]] complains about late delivery
caller-id="[[p:+1617{{d:&######}}]]"
SMS from [[p:+1786{{d:&######}}]]: your code is 482910
2025-01-07 09:14:33 INFO call from [[p:+4930{{d:9#######}}]] answered after 12s
msisdn=[[p:49151{{d:2#######}}]] imsi=262011234567890
BEGIN:VCARD\nVERSION:3.0\nFN:Ola Berg\nTEL;TYPE=CELL:[[p:+47 91{{d:# ## ###}}]]\nEND:VCARD
Kind regards\nTom Okafor\nProperty Manager\nM [[p:07700 900{{d:###}}]]\nO [[p:0191 498 0{{d:###}}]]
Mit freundlichen Grüßen\nDr. Eva Lang\nTel.: [[p:+49 (0) 6221 / 54-{{d:####}}]]\nFax: [[p:+49 (0) 6221 / 54-{{d:####}}]]
Cordialement,\nPaul Rey\n[[p:+33 (0)1 44 {{d:## ## ##}}]]\n12 rue des Lilas, 75011 Paris
Jane Roe | Realtor | [[p:813.555.01{{d:##}}]] | Tampa, FL 33602
My home phone is [[p:555-01{{d:##}}]], area code 212 obviously.
She said: "call [[p:1-888-555-01{{d:##}}]]!"
Please call [[p:(718)555-01{{d:##}}]] between 8:00-16:00.
(phone [[p:212 555 01{{d:##}}]])
ph#[[p:4155550{{d:1##}}]]
Call [[p:+1 415 555 01{{d:##}} x 12]]
Call [[p:415-555-01{{d:##}} extension 7]] for billing.
Call [[p:(415) 555-01{{d:##}} ext 7]], ask for Lou.
tel [[p:{{d:415-555-01##}}x99]]
Cust called from [[p:001-{{d:541-&##-####}}x{{d:%###}}]] re. refund
[[p:+1-{{d:541-&##-####}}x{{d:%##}}]] is on file for this customer
[[p:{{d:(541)&##-####}}x{{d:%###}}]] is my work phone
number on file {{sp}}[[p:{{d:541.&##.####}}]]
How can we reach you? You can call [[p:{{d:02# 3### ####}}]]
I would like to stop receiving messages to [[p:{{d:07700 ######}}]]
Somebody from [[p:{{d:+44 1### ######}}]] keeps ringing me
unknown number: [[p:{{d:+420 &## ### ###}}]]
Zadzwoń do mnie: [[p:{{d:+48 &## ### ###}}]] albo napisz
☎ [[p:{{d:030 2#######}}]]
📞[[p:{{d:+34 6## ### ###}}]]📞
✆ [[p:{{d:+41 44 ### ## ##}}]]
Kontakt: Jan Vos, [[p:{{d:06-1#######}}]], bereikbaar na 18:00
Telefon privat [[p:{{d:0711 / 8## ## ##}}]], dienstlich [[p:{{d:0711 / 8## ##-##}}]]
Zentrale [[p:{{d:+49 89 1234-0}}]], Durchwahl 4711
my # is [[p:{{d:917 &## ####}}]] hmu
txt me [[p:{{d:917&######}}]]
fone: [[p:{{d:(11) 98###-####}}]] zap
Ligar p/ [[p:{{d:+55 (11) 98###-####}}]] ou [[p:{{d:+55 (11) 98###-####}}]]
联系人：王小姐 [[p:{{d:139########}}]]
手机{{sp}}[[p:{{d:186 #### ####}}]]，微信同号
TEL：[[p:{{d:03-3###-####}}]]　FAX：[[p:{{d:03-3###-####}}]]
전화 [[p:{{d:010-2###-####}}]] 로 연락 주세요
الرجاء الاتصال على [[p:{{d:+966 5# ### ####}}]] غدا
`;
