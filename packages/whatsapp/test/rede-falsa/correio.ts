import type { BinaryNode } from 'baileys'
import { filho, filhos, SERVIDOR, stanza } from './stanza.ts'
import type { Aparelho } from './tipos.ts'

/** Queues a stanza for a device and delivers it until the device confirms it. */

export function entregarAo(aparelho: Aparelho, mensagem: BinaryNode): void {
  aparelho.pendentes.push(mensagem)
  if (aparelho.conexao?.ativa() === true) aparelho.conexao.enviar(mensagem)
}

/** Handles a receipt or ack. A repeated message is confirmed separately. */
export function confirmar(aparelho: Aparelho, { tag, attrs, content }: BinaryNode): void {
  const classe = tag === 'receipt' ? 'message' : attrs.class
  const lista = Array.isArray(content) ? filho({ tag: '', attrs: {}, content }, 'list') : undefined
  for (const id of [attrs.id, ...filhos(lista, 'item').map((item) => item.attrs.id)]) {
    const qual = aparelho.pendentes.findIndex((pendente) => pendente.tag === classe && pendente.attrs.id === id)
    if (qual >= 0) aparelho.pendentes.splice(qual, 1)
  }
}

/** Delivers the waiting stanzas and switches to live delivery. */
export function ativar(aparelho: Aparelho): void {
  const { conexao } = aparelho
  if (conexao === null) return
  const atrasadas = [...aparelho.pendentes]
  const count = String(atrasadas.length)
  conexao.enviar(stanza('ib', { from: SERVIDOR }, [stanza('offline_preview', { count, message: count })]))
  for (const mensagem of atrasadas) conexao.enviar({ ...mensagem, attrs: { ...mensagem.attrs, offline: '1' } })
  conexao.enviar(stanza('ib', { from: SERVIDOR }, [stanza('offline', { count })]))
  conexao.ativar()
}
