import type { Cardapio, CarrinhoAceito, CarrinhoInput } from '@balcao/contract/entities/cardapio'
import type { ErrorBody } from '@balcao/contract/errors'

/** A refusal of the server, or no answer. The message is for the customer. */
export class MenuRefusal extends Error {
  readonly body: Partial<ErrorBody>
  constructor(body: Partial<ErrorBody>, message: string) {
    super(message)
    this.body = body
  }
}

export interface MenuApi {
  readonly load: () => Promise<Cardapio>
  readonly fee: (place: { readonly bairro: string; readonly cep: string }) => Promise<{ readonly centavos: number }>
  readonly send: (cart: Omit<CarrinhoInput, 't'>) => Promise<CarrinhoAceito>
}

const TIMEOUT_MS = 15_000

export function createMenuApi(endereco: string, t: string | undefined): MenuApi {
  const base = `/api/publico/lojas/${endereco}`
  const request = async (path: string, body?: unknown) => {
    const reply = await fetch(base + path, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    }).catch(() => {
      throw new MenuRefusal({}, 'Sem conexão. Seu pedido está guardado: tente de novo quando a internet voltar.')
    })
    const answer = await reply.json().catch(() => ({}))
    if (!reply.ok) throw new MenuRefusal(answer, answer.erro ?? 'A loja não respondeu. Tente de novo.')
    return answer
  }
  return {
    load: () => request(''),
    fee: (place) => request('/entrega', place),
    send: (cart) => request('/carrinhos', t === undefined ? cart : { ...cart, t }),
  }
}
