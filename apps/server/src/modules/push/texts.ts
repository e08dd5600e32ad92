import type { AvisoPush, TipoAvisoPush } from '@balcao/contract/entities/push'

const TITLES: Readonly<Record<TipoAvisoPush, string>> = {
  fila: 'Um cliente espera atendimento',
  mensagem: 'Nova mensagem em uma conversa sua',
  mencao: 'Mencionaram você em uma nota',
  botDesconectado: 'O bot está desconectado',
  teste: 'Os avisos funcionam neste aparelho',
}

const NAMED: Partial<Readonly<Record<TipoAvisoPush, (nome: string) => string>>> = {
  fila: (nome) => `${nome} espera atendimento`,
  mensagem: (nome) => `Nova mensagem de ${nome}`,
  mencao: (nome) => `Mencionaram você em uma nota de ${nome}`,
}

/** `nome`: the customer, only if the usuario wants to see it on the phone. */
export function noticeOf(tipo: TipoAvisoPush, conversaId: string | null, nome: string | null): AvisoPush {
  const titulo = nome === null ? TITLES[tipo] : (NAMED[tipo]?.(nome) ?? TITLES[tipo])
  return { titulo, tipo, ...(conversaId === null ? {} : { conversaId }) }
}
