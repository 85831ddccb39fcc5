import type { PiiTypeDefinition } from '../pii-type.ts';

/** Telephone numbers. */
export const phoneNumber: PiiTypeDefinition<'phone_number'> = {
  type: 'phone_number',
  risk: 0.5,
  severity: 'medium',
  hasDigit: true,
  isReadAgain: true,
  cues: [
    'phone*,telephone*,tel,mobile*,cell*,fax*,call,calls,called,caller*,calling,call me,callback*,call back,ring,rings,ringing,rang,dial,dialed,dialled,dialing,dialling,text me,text us,sms,whatsapp,reach*,contact*',
    'hotline,voicemail,telefon*,rufnummer,handy*,mobil,mobilnummer,anrufen,anruf,ruf,ruckruf,erreich*,portable,appel*',
    'joindre,joignable,telefono*,movil,celular,llama*,llame,marque,contacto,cellulare,chiama*,chiami,contatt*,telefone*',
    'telemovel,ligue,ligar,contato,telefoonnummer,telefoon,mobiel*,bel,bellen,bereik*,gsm,msisdn,kontakt*',
    'my number,his number,her number,your number,our number,s number,new number,phone no,ph,ph no,txt,texted,messages to,message on,sms from',
    'my #,meine nummer,neue nummer,mon numero,numero est,mi numero,il mio numero,meu numero,mijn nummer,mitt nummer,moj numer',
    'tlf,tlfnr,ring til,ring meg,ring mig,mobilnr,telefonnr,puh,puhelin*,soita*,matkapuh*,zadzwon*,dzwoni*,komork*,tel kom,zavol*',
    'cep tel*,cep no,gsm no,arayin,numaras*,thoai,dien thoai,so dt,hubungi,nomor hp,telepon,no hp,cel,cell no,fono,fone,zap',
    'customer service,customer care,support line,kundenservice,klantenservice,service client,servizio clienti,numero verde',
    'servicio al cliente,centralita,centralino,festnetz*,hub,lien he',
    'hmu,landline,switchboard,toll free,helpline,pager,direct line,office,durchwahl,zentrale,vorwahl,tel no,telnr,faks,telefaks,telefax',
  ],
  scriptCues:
    '电话,電話,手机,手機,拨打,撥打,致电,致電,联系,聯絡,傳真,传真,热线,熱線,携帯,代表電話,客服,ファックス,連絡先,전화,연락,고객센터,상담,휴대폰,핸드폰,휴대전화,팩스,' +
    'тел,телефон,моб,мобильн,звон,позвон,номер телефона,мой номер,факс,هاتف,الهاتف,جوال,الجوال,اتصل,الاتصال,موبايل,واتساب,فاكس,' +
    'טלפון,נייד,התקשר,פקס,फ़ोन,फोन,मोबाइल,कॉल,दूरभाष,τηλ,κινητο,καλεσ,φαξ,โทร,เบอร์',
  load: async () => (await import('../phone-number.ts')).createPhoneDetector,
};
