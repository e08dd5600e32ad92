const META_ERROR_TEXTS: Readonly<Record<number, string>> = {
  131047:
    'Já se passaram mais de 24 horas desde a última mensagem deste cliente. Para falar com ele, envie um modelo de mensagem aprovado.',
  131026:
    'O WhatsApp não conseguiu entregar. O número pode não ter WhatsApp ou estar com o aplicativo desatualizado: confirme o número com o cliente.',
  131021: 'Este é o número da própria empresa. Escolha outro destinatário.',
  131030: 'A conta da Meta ainda está em teste e este número não está na lista de testes. Inclua-o no painel da Meta.',
  131037: 'O nome da empresa ainda não foi aprovado pela Meta. Confira no Gerenciador do WhatsApp.',
  131042: 'Há um problema de pagamento na conta da Meta. Confira a forma de pagamento no Gerenciador do WhatsApp.',
  131045: 'O número ainda não foi registrado na API oficial. Registre-o no painel da Meta.',
  133010: 'O número ainda não foi registrado na API oficial. Registre-o no painel da Meta.',
  131048:
    'A Meta limitou os envios deste número por queixas de clientes. Confira a qualidade dele no Gerenciador do WhatsApp.',
  131049: 'A Meta preferiu não entregar esta mensagem de divulgação agora. Tente de novo em outro dia.',
  131050: 'Este cliente pediu para não receber mensagens de divulgação.',
  131051: 'O WhatsApp não aceita este tipo de mensagem.',
  131052: 'O WhatsApp não conseguiu abrir o arquivo. Envie-o de novo.',
  131053: 'O WhatsApp não aceitou o arquivo. Envie imagem em JPG ou PNG, áudio em MP3, M4A ou OGG, ou um PDF.',
  130472: 'A Meta não entregou esta mensagem a este cliente. Espere que ele escreva.',
  130497: 'A conta da Meta não pode enviar mensagens para este país.',
  132000: 'Faltam ou sobram dados para este modelo de mensagem. Confira-os e envie de novo.',
  132001: 'Este modelo de mensagem não existe mais ou não tem esta tradução. Escolha outro.',
  132005: 'O texto ficou longo demais para este modelo de mensagem.',
  132007: 'O conteúdo não segue as regras da Meta para este modelo de mensagem.',
  132012: 'Um dos dados não tem o formato que este modelo de mensagem pede.',
  132015: 'A Meta pausou este modelo de mensagem por baixa qualidade. Escolha outro.',
  132016: 'A Meta desativou este modelo de mensagem. Escolha outro.',
}

export function metaErrorText(code: number | null): string {
  if (code === null) return 'O WhatsApp recusou a mensagem.'
  return META_ERROR_TEXTS[code] ?? `O WhatsApp recusou a mensagem (código ${code}).`
}
