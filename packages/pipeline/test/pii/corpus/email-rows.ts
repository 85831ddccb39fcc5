/** Texts with e-mail addresses, one a line; the notation is that of `parse-rows.ts`. */
export const EMAIL_ROWS = String.raw`
Hi team, please loop in [[m:dana.whitfield@northlakehealth.org]] on this one.
From: "Okoro, Chidi" <[[m:c.okoro@lagosfreight.com.ng]]>\nTo: Ops <[[m:ops-night@lagosfreight.com.ng]]>\nCc: [[m:ingrid_s@fjordline-cargo.no]]; [[m:pt@fjordline-cargo.no]]\nSubject: Re: Container 4471
On Tue, 4 Mar 2025 at 09:12, Mireille Dubreuil <[[m:mireille.dubreuil@mairie-aubagne.fr]]> wrote:\n> Bonjour, merci pour le devis.
<a href="mailto:[[m:hello@brightpixel.studio]]?subject=Hi">write to us</a>
<a href='mailto:[[m:k.lindqvist@kth.example]]'>[[m:k.lindqvist@kth.example]]</a>
[Sofia](mailto:[[m:sofia+lists@mailbox.org]]) keeps the list.
{"user":{"id":5512,"email":"[[m:t.nakagawa@shinwa-denki.co.jp]]","active":true}}
INSERT INTO users (id, mail) VALUES (17, '[[m:ramon.ibarra@correo.unam.mx]]');
UPDATE accounts SET email = "[[m:joao_pedro.silva@uol.com.br]]" WHERE id = 99;
email: [[m:lwazi.dlamini@gov.za]]\nrole: admin
2025-02-11T08:31:22Z WARN login failed for [[m:b.haugen@nordkraft.no]] (3 attempts)
Reach me via [[m:piotr.zielinski@wp.pl]].
Reach me via [[m:piotr.zielinski2@wp.pl]], or not at all!
Is it [[m:anna-lena@hof-sonnenberg.de]]?
("[[m:office@kanzlei-meier-vogt.at]]")
Schreiben Sie bitte an [[m:bewerbung@stadtwerke-ulm.de]]; Rückfragen an [[m:p.oezdemir@stadtwerke-ulm.de]].
Écrivez à [[m:jean-marc.lefevre@ac-grenoble.fr]] avant vendredi.
Mi correo es [[m:mluisa.ortega@telefonica.net]], gracias.
La mia mail: [[m:g.bianchi@comune.ferrara.it]]
O meu e-mail é [[m:rui.f.tavares@sapo.pt]].
Mijn e-mailadres is [[m:j.van.der.berg@ziggo.nl]]
Mój adres: [[m:kasia.w@onet.pl]]
Min mejl är [[m:oskar.lund@telia.se]]
メールは[[m:yamada.k@docomo.ne.jp]]までお願いします。
请发邮件到[[m:wang.lei88@163.com]]，谢谢。
邮箱：[[m:zhangwei@qq.com]]
이메일은 [[m:minji.kim@naver.com]] 입니다.
بريدي الإلكتروني هو [[m:ahmed.saleh@etisalat.ae]] وشكرا
मेरा ईमेल [[m:rahul.verma@rediffmail.com]] है।
Моя почта: [[m:i.petrov@yandex.ru]]
E-posta: [[m:ayse.demir@hotmail.com.tr]]
Plus tags work too: [[m:sam+invoices-2024@fastmail.fm]]
Deep subdomain: [[m:svc_backup@mx3.eu-west.prod.lumora.cloud]]
Short one: [[m:q@z.co]] (yes, really)
New TLDs: [[m:team@rooftop.coffee]], [[m:press@atelier.museum]], [[m:info@kiez.berlin]]
Unicode domain: [[m:info@müller-bäckerei.de]]
Unicode local part: [[m:josé.núñez@ejemplo.es]]
ユーザー [[m:support@例え.jp]] に連絡
Punycode: [[m:kontakt@xn--mller-kva.de]]
"[[m:o'brien.m@tcd.ie]]" is right, with the apostrophe
Percent and friends: [[m:user%host@relay.example.net]] and [[m:a_b-c.d@x-y.z-w.info]]
contact=[[m:lena.fischer@web.de]]&lang=de
https://shop.example/unsub?email=[[m:hans.moser@gmx.ch]]&t=1
https://forms.example.com/f?e=[[m:may.tran@fpt.vn]]
curl -u [[m:deploy@acme-robotics.io]]:hunter2 https://api.internal/v1/jobs
name,email,joined\nBea,[[m:bea@tulip.nl]],2021\nTom,[[m:tom.h@elm-farm.co.uk]],2022
| Lee | [[m:lee.chang@hanmail.net]] | Seoul |
*[[m:noreply@parcelwise.de]]* sent this
**Email:** [[m:kofi.mensah@knust.edu.gh]]
Author: Ines Prado <[[m:ines@prado.dev]]>
Signed-off-by: Markus Thiel <[[m:mthiel@kernelwerk.de]]>
Co-authored-by: octo-helper <[[m:12345+octohelper@users.noreply.github.com]]>
git config user.email [[m:sven@hagelund.dk]]
Assigned to [[m:helpdesk@ridgeview.k12.or.us]] by [[m:mrodriguez@ridgeview.k12.or.us]]
my old address was [[m:XxDragonSlayerxX@hotmail.com]] lol
MAIL: [[m:GEORGINA.PAPADAKI@OTENET.GR]]
DM me or [[m:nico.b@proton.me]]...
To unsubscribe mail [[m:leave-2291-abc@lists.riseup.example]]-
Best,\nHannah Brandt\nHead of Sales | Kestrel GmbH\n[[m:h.brandt@kestrel-gmbh.de]] | www.kestrel-gmbh.de
Sent by [[m:jp.morel@free.fr]]/[[m:c.morel@free.fr]]
<[[m:a.kowalczyk@pw.edu.pl]]>,<[[m:b.nowak@pw.edu.pl]]>
xmpp:[[m:mira@jabber.ccc.de]]
{"from":["[[m:x.liu@tsinghua.edu.cn]]"],"to":["[[m:f.rossi@polimi.it]]","[[m:no-reply@polimi.it]]"]}
<email>[[m:olivia.hart@bigpond.com]]</email>
mailto:[[m:pavel.cerny@seznam.cz]]
ADMIN_EMAIL=[[m:root@vps-frankfurt.net]]
EMAIL: '[[m:m.ferrari@studiolegaleferrari.eu]]',
password reset requested by [[m:shreya.i@infomail.co.in]] from the app
Whoever took minutes: please send to [[m:board@oakhill-coop.org]] & [[m:treasurer@oakhill-coop.org]].
I used priya's account ([[m:priya.nair@kerala.gov.in]]) because mine was locked
Write to [[m:jane [at] example [dot] org]] if you need a copy.
Spam-safe: [[m:kontakt(at)fahrrad-werkstatt.de]]
Erreichbar unter [[m:peter.huber (at) bluewin (dot) ch]]
username [[m:lana.k@skole.hr]] password ********
Cher client, votre identifiant est [[m:c.vasseur@laposte.net]]
to:[[m:dev-null@ops.example]] from:[[m:cron@ops.example]]
Emails: [[m:a1@b.io]],[[m:a2@b.io]],[[m:a3@b.io]]
🙂[[m:emoji.fan@sunny.app]]🙂
📧 [[m:maria.lopes@clix.pt]] 📞 later
Typed wrongly before, now right: [[m:first.last@iki.fi]]
`;
