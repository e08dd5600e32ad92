export const PHRASES = {
  chamando: '👤 Certo! Um atendente vai falar com você.',
  iaPronta: '🤖 Pode perguntar!',
  ateLogo: '🙏 Obrigado pelo contato!',
  oferecerAtendente: '👤 Se preferir falar com uma pessoa, escreva *atendente*.',
  soTexto: '🙂 Recebi! Por aqui eu consigo ler mensagens de texto. Escreva o que você precisa, por favor.',
  produtoNaoEncontrado: '🔎 Não encontrei este produto. Escolha um número da lista:',
  codigoSemCarrinho:
    '🤔 Não encontrei o pedido deste código. Cada código vale 24 horas e uma vez só. Monte o pedido de novo no cardápio.',
  lojaConfirma: '🙂 A loja confirma o pedido com você por aqui.',
  semProdutos: '🛍️ No momento não temos produtos disponíveis no catálogo.',
  pedirNota: '⭐ Como foi o seu atendimento? Responda com uma nota de *0* a *5*.',
  notaInvalida: '🙂 A nota vai de *0* a *5*. Qual nota você dá para o atendimento?',
  semNota: '🙏 Tudo bem, obrigado assim mesmo!',
  parou:
    '🔕 Tudo bem! Não vou mais enviar mensagens automáticas para você. Para falar com uma pessoa, escreva *atendente*. Para voltar a receber, escreva *VOLTAR*.',
  voltou: '🔔 Que bom ter você de volta!',
  agradecerNota: '💚 Obrigado pela sua avaliação!',
} as const

export function unavailableProdutoText(name: string): string {
  return `😕 *${name}* não está disponível no momento. Escolha outro número da lista:`
}
