import type { PiiType } from '../risk.ts';

/**
 * Words near a number that say what it is, in languages of Latin script; lower case, without
 * diacritics, parted by commas, `*` for any ending. A blank inside stands for a blank, a dot, a hyphen
 * or an underscore. Words of other scripts stand in `script-words.ts`.
 */
export const CUE_WORDS: Readonly<Record<PiiType, readonly string[]>> = {
  ssn: [
    'ssn*,social security card*,social security*,social insurance*,soc sec,social sec,ss no,ss number,ss#,social,tax id*,taxpayer id*',
    'socialsecurity*,s s n,sozialversicherung*,securite sociale,numero de secu,secu,seguro social,seguridad social',
    'previdenza sociale,seguranca social,burgerservice*,sociale zekerheid,sofinummer',
  ],
  credit_card: [
    'card*,credit card*,debit card*,creditcard*,visa,mastercard,master card,amex,american express,discover',
    'diners,jcb,maestro,unionpay,rupay,pan,cc,cc number,ccn*,charge,charged,cvv,cvc,expires,expiry,exp',
    'kreditkarte*,karte,kartennummer,carte,carte bancaire,carte de credit,tarjeta*,tarjeta de credito',
    'carta di credito,carta,cartao,cartao de credito,kaart,kaartnummer,creditkaart*',
    'karty,karta,karte platnicz*,kort,kortnummer,kortnr,kredittkort*,kreditkort*,kart,kart numara*,kredi kart*,luottokor*',
  ],
  phone_number: [
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
  email: ['e mail,email,mail'],
  passport: [
    'passport*,passport card*,pass no,pass nr,pass number,travel document*,reisepass*,passnummer,passnr,ausweisnummer,passeport*,ppt',
    'pasaporte*,passaporto*,passaporte*,paspoort*,documento de viaje,documento di viaggio,mein pass,deutscher pass',
    'schweizer pass,paszport*,pasnummer,pasnr,passin numero,passinumero,cislo pasu,cestovni pas,utlevel*,pasaport*',
    'ho chieu,paspor,nomor paspor,putovnic*,pas broj',
  ],
  ip_address: [
    'ip*,ipv4,ipv6,address,client*,host*,server*,gateway,remote*,source*,src,dst,addr*,dns,subnet*,nameserver',
    'ping*,adresse,direccion,indirizzo,endereco,adres,login*,logged in,connected,request*,came from,blocked,node',
    'peer,inet,inet6,listen*,proxy,firewall,traffic,connection*,from,vpn,container,router,dhcp,lan,wan,vlan,ssh,whois',
    'traceroute,iptables,fail2ban,attacker,visitor*,besucher*,upstream,docker,printer,nas,leased,laptop,session*',
  ],
  bank_account: [
    'bank account*,account number*,account no,account num,account,acct*,a/c,acc no,acc,routing*,aba,rtn,iban*,bic,swift,bsb,ifsc,clabe*',
    'sort code,bank*,checking,savings,wire,transfer*,beneficiary,direct deposit,konto*,bankverbindung,blz,payroll,debit,transit',
    'bankleitzahl,uberweis*,compte,compte bancaire,rib,virement,cuenta*,transferencia,conto,conto corrente,nib',
    'conto bancario,bonifico,conta,conta bancaria,conta corrente,agencia,rekening*,bankrekening*,overboek*',
    'konta,numer konta,nr konta,rachun*,cislo uctu,uctu,szamlaszam,bankszamla*,tilinumero,hesap,hesap no,hesap numara*,tai khoan,so tai khoan,rekening bank,nomor rekening',
  ],
};

/**
 * Words that name a bank account so plainly that a number after them is one; the other words for bank
 * accounts only say that money moves.
 */
export const ACCOUNT_WORDS: readonly string[] = [
  'bank account*,bankaccount*,bankacc*,bank acc,bank acct*,account number*,accountnumber*,account no,account num,accountno,acct*,a/c,acc no,acc number,iban*',
  'routing number*,routing no,routingnumber*,routing transit*,aba,rtn,sort code,clabe*,savings account*,checking account*',
  'account nr,konto,kontonr,kontonummer*,konto nr,konto iban,bankkonto*,kontoverbindung,compte,compte bancaire,cuenta*,conto,conto corrente,conto bancario,conta,conta bancaria,conta corrente,rekening*,bankrekening*',
  'blz,bankleitzahl,numer konta,nr konta,rachunek*,cislo uctu,szamlaszam,bankszamla*,tilinumero,hesap no,hesap numara*,so tai khoan,nomor rekening,nib',
];

/** Words for things that have a number of their own, so that a number right after them is that. */
export const NUMBERED_WORDS: readonly string[] = [
  'order*,invoice*,tracking*,shipment,parcel,isbn*,issn,ean,upc,gtin,sku*,part,part no,part number,serial*,s/n',
  'ticket*,case no,case id,case number,oid*,uuid*,guid,hash*,sha*,md5,checksum,digest,imei,iccid,imsi',
  'model*,product*,item*,article,batch,lot,catalog*,catalogue*,doi,pmid,rfc,iso,project no,project number,project id,project code,transaction*,warranty,receipt,meter no',
  'bestellung*,bestellnummer,rechnung*,sendung*,artikel*,auftrag*,kundennummer,seriennummer,zahlernummer,matrikel*,aktenzeichen,vertrag*',
  'commande*,facture*,colis,suivi,serie,pedido*,factura*,envio,seguimiento,articulo,ordine*,fattura*,ordernummer,ordrenummer',
  'spedizione,articolo,encomenda*,fatura*,rastreio,artigo,bestelling*,factuur*,zending,zamowien*,faktur*,siparis*,lahetys*,tilausnumero',
  'bestelnummer,artikelnummer,licence,license,policy,claim no,customer no,customer number,customer id,client no,client id,numero client,numero de cliente,numero cliente,klantnummer,member no,membership*',
  'dni,nif,nie,curp,cpf,cnpj,nino,nhs number,vat*,ein,itin,ust id*,steuer id*,steuernummer,codice fiscale,siren,siret,abn,aadhaar,npi,mrn,pesel,bsn,personnummer',
];

/** Words for a number that refers to something, whatever kind of number that is. */
export const REFERENCE_WORDS: readonly string[] = ['ref*,reference*'];

/** Words that say that a number is something harmless. */
export const HARMLESS_WORDS: readonly string[] = [
  'case,version*,release*,build*,firmware,revision,commit*,identifier,id,ids,code,zip*,postal*',
  'page,pages,section,chapter,figure,table,line,lines,row,rows,timestamp,unix,epoch,latitude,longitude',
  'coordinates,lat,lon,long,gps,price*,total*,amount,cost*,date*,dated,postleitzahl,seite,versione,versao,versie',
  'lotto,lottery,count*,volume*,size,impressions,population,revenue,balance,depth,angle,ranking,passcode,zoom,meeting id,call sign,call number,sales',
  'dataset,checkpoint,seed,constant,offset,port,meter,clause,paragraph*,article,annex,kapitel,abschnitt,abbildung,statute,stage',
];
