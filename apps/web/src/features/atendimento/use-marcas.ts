import { CONECTORES_QUE_MARCAM } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { useCallback, useState } from 'react'
import { useBotStatus } from '#shared/dados/bot-status.ts'

/** A message whose actions are open, and the button they hang from. */
export interface Escolhida {
  readonly mensagem: Mensagem
  readonly botao: HTMLElement
}

/** What is being answered stays with its conversation, as what is being written does. */
const citadas = new Map<string, Mensagem>()
addEventListener('saiu', () => citadas.clear())

/** Whether the customer has it under a name that the service knows. */
export function alcancavel({ temporaria, estado, apagada, ligacao }: Mensagem): boolean {
  const parada = estado === 'pendente' || estado === 'falhou' || estado === 'limite'
  return temporaria !== true && apagada !== true && ligacao === undefined && !parada
}

/** Answering one message of a chat, and reacting to it. */
export function useMarcas({ id, teste }: Conversa, aberta: boolean) {
  const { conector } = useBotStatus().bot
  const [escolhida, setEscolhida] = useState<Escolhida | null>(null)
  const [citada, setCitada] = useState(() => citadas.get(id) ?? null)
  const pode = aberta && (teste || (conector !== undefined && CONECTORES_QUE_MARCAM.includes(conector)))
  const abrir = useCallback((mensagem: Mensagem, botao: HTMLElement) => setEscolhida({ mensagem, botao }), [])
  return {
    escolhida: pode ? escolhida : null,
    fechar: () => setEscolhida(null),
    citada: pode ? citada : null,
    citar: (mensagem: Mensagem | null): void => {
      if (mensagem === null) citadas.delete(id)
      else citadas.set(id, mensagem)
      setCitada(mensagem)
    },
    /** Absent where the service cannot, or nothing can be said any more. The same function while the chat is open. */
    abrir: pode ? abrir : undefined,
  }
}
