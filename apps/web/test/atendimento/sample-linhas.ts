import type { Linha, LinhaDaConversa } from '@balcao/contract/entities/linha'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { makeLinha } from '#test/dashboard/panel.tsx'
import { makeConversas } from './sample-conversas.ts'

/** The lines of a bakery with a shop, a delivery number and a chat on its site. */

export const LOJA = makeLinha({ id: 'l1', nome: 'Loja centro', cor: 'green', principal: true })
export const ENTREGA = makeLinha({ id: 'l2', nome: 'Entregas e encomendas de festa', cor: 'orange' })
export const SITE = makeLinha({ id: 'l3', nome: 'Site', conector: 'webchat', cor: 'purple' })
export const LINHAS: Linha[] = [LOJA, ENTREGA, SITE]
/** A deleted line, which only its conversas still name. */
export const OLD: LinhaDaConversa = { id: 'l9', nome: 'Quiosque', conector: 'whatsapp' }

export const lineOf = ({ id, nome, conector }: LinhaDaConversa): LinhaDaConversa => ({ id, nome, conector })

/** Marina wrote to the delivery, João to the shop, the studio on the site and Rafa to the deleted line. */
export function conversasOfLinhas(): Conversa[] {
  const lines = [ENTREGA, LOJA, SITE, OLD]
  return makeConversas().map((conversa, index) => {
    const line = lineOf(lines[index] ?? LOJA)
    const cliente = {
      ...conversa.cliente,
      ...(line.id === SITE.id ? ({ telefone: '', nomeInformado: true } as const) : {}),
    }
    return { ...conversa, cliente, linha: line }
  })
}
