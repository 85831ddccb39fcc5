import type { PiiType } from '../risk.ts';

/**
 * Words near a number that say what it is, in English, German, French, Spanish, Italian, Portuguese
 * and Dutch; lower case, without diacritics, parted by commas, `*` for any ending. A blank inside
 * stands for a blank, a dot, a hyphen or an underscore.
 */
export const CUE_WORDS: Readonly<Record<PiiType, readonly string[]>> = {
  ssn: [
    'ssn*,social security card*,social security*,social insurance*,soc sec,social sec,ss no,ss number,ss#,social,tax id*,taxpayer id*',
    'sozialversicherung*,securite sociale,numero de secu,secu,seguro social,seguridad social,previdenza sociale',
    'seguranca social,burgerservice*,sociale zekerheid,sofinummer',
  ],
  credit_card: [
    'card*,credit card*,debit card*,creditcard*,visa,mastercard,master card,amex,american express,discover',
    'diners,jcb,maestro,unionpay,pan,cc,cc number,ccn,charge,charged,cvv,cvc,expires,expiry,exp',
    'kreditkarte*,karte,kartennummer,carte,carte bancaire,carte de credit,tarjeta*,tarjeta de credito',
    'carta di credito,carta,cartao,cartao de credito,kaart,kaartnummer,creditkaart*',
  ],
  phone_number: [
    'phone*,telephone*,tel,mobile*,cell*,fax,call*,ring,dial,text me,text us,sms,whatsapp,reach*,contact*',
    'hotline,voicemail,telefon*,rufnummer,handy*,mobil,mobilnummer,anrufen,anruf,ruf,erreich*,portable,appel*',
    'joindre,telefono*,movil,celular,llama*,llame,marque,contacto,cellulare,chiama*,chiami,contatt*,telefone*',
    'telemovel,ligue,ligar,contato,telefoonnummer,telefoon,mobiel*,bel,bellen,bereik*,gsm,msisdn',
  ],
  email: ['e mail,email,mail'],
  passport: [
    'passport*,pass no,pass nr,pass number,travel document,reisepass*,passnummer,ausweisnummer,passeport*',
    'pasaporte*,passaporto*,passaporte*,paspoort*,documento de viaje,documento di viaggio',
  ],
  ip_address: [
    'ip*,ipv4,ipv6,address,client*,host*,server*,gateway,remote*,source*,src,dst,addr*,dns,subnet*,nameserver',
    'ping*,adresse,direccion,indirizzo,endereco,adres,login*,logged in,connected,request*,came from,blocked,node',
    'peer,inet,inet6,listen*,proxy,firewall,traffic,connection*,from',
  ],
  bank_account: [
    'bank account*,account number*,account no,account num,account,acct*,a/c,acc no,routing*,aba,rtn,iban*,bic,swift',
    'sort code,bank*,checking,savings,wire,transfer*,beneficiary,direct deposit,konto*,bankverbindung,blz',
    'bankleitzahl,uberweis*,compte,compte bancaire,rib,virement,cuenta*,transferencia,conto,conto corrente',
    'conto bancario,bonifico,conta,conta bancaria,conta corrente,agencia,rekening*,bankrekening*,overboek*',
  ],
};

/** Words for things that have a number of their own, so that a number right after them is that. */
export const NUMBERED_WORDS: readonly string[] = [
  'order*,invoice*,tracking*,shipment,parcel,isbn*,issn,ean,upc,gtin,sku*,part,part no,part number,serial*,s/n',
  'ticket*,case no,case id,case number,oid*,uuid*,guid,hash*,sha*,md5,checksum,digest,imei',
  'model*,product*,item*,article,batch,lot,catalog*,catalogue*,doi,pmid,rfc,iso',
  'bestellung*,bestellnummer,rechnung*,sendung*,artikel*,auftrag*,kundennummer,seriennummer',
  'commande*,facture*,colis,suivi,serie,pedido*,factura*,envio,seguimiento,articulo,ordine*,fattura*',
  'spedizione,articolo,encomenda*,fatura*,rastreio,artigo,bestelling*,factuur*,zending',
  'bestelnummer,artikelnummer,licence,license,policy,claim no',
  'dni,nif,nie,curp,cpf,cnpj,nino,nhs number,vat*,ein,itin,ust id*,steuer id*,steuernummer,codice fiscale',
];

/** Words for a number that refers to something, whatever kind of number that is. */
export const REFERENCE_WORDS: readonly string[] = ['ref*,reference*'];

/** Words that say that a number is something harmless. */
export const HARMLESS_WORDS: readonly string[] = [
  'case,version*,release*,build*,firmware,revision,commit*,identifier,id,ids,code,zip*,postal*',
  'page,pages,section,chapter,figure,table,line,lines,row,rows,timestamp,unix,epoch,latitude,longitude',
  'coordinates,lat,lon,long,gps,price*,total*,amount,cost*,date*,dated,postleitzahl,seite,versione,versao,versie',
  'dataset,checkpoint,seed,constant,offset,port,meter',
];
