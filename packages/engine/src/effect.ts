export type AtoDeConsentimento = 'aviso' | 'parada' | 'retomada'

/** What a step asks the runtime to do, in order. Records first become true with the state; what speaks leaves after the commit. */
export type BotEffect =
  | { readonly tipo: 'enviarTexto'; readonly texto: string; readonly origem: 'bot' | 'ia' }
  | { readonly tipo: 'enviarImagem'; readonly imagemUrl: string; readonly legenda: string }
  /**
   * Ask the AI once the customer was quiet for `esperaMs`. A newer question replaces an older one: the older's answer would be
   * late. The runtime gathers what the customer wrote since the first of the questions that were so replaced.
   */
  | { readonly tipo: 'perguntarIa'; readonly perguntaId: string; readonly esperaMs: number }
  /** Queue the conversation for people. When the event carried no `protocolo`, allocate one and run the same step again with it. */
  | { readonly tipo: 'abrirConversaHumana'; readonly setor: string }
  | { readonly tipo: 'finalizarConversa' }
  | { readonly tipo: 'registrarAvaliacao'; readonly nota: number }
  | { readonly tipo: 'pularAvaliacao' }
  /** The customer was told about their data, asked for silence, or took that back: kept as proof. */
  | { readonly tipo: 'registrarConsentimento'; readonly ato: AtoDeConsentimento }
  /** For the owner's log, in Portuguese. */
  | { readonly tipo: 'registrarLog'; readonly nivel: 'info' | 'warning' | 'error'; readonly mensagem: string }

/** The bot says a text, whose braces are filled already. */
export function texto(conteudo: string): BotEffect {
  return { tipo: 'enviarTexto', texto: conteudo, origem: 'bot' }
}

/** A warning in the owner's log. */
export function aviso(mensagem: string): BotEffect {
  return { tipo: 'registrarLog', nivel: 'warning', mensagem }
}

/** Whether an effect reaches the customer. */
export function fala(efeito: BotEffect): boolean {
  return efeito.tipo === 'enviarTexto' || efeito.tipo === 'enviarImagem'
}
