import { CONECTORES_QUE_MARCAM } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { useCallback, useState } from 'react'
import { useBotStatus } from '#shared/dados/bot-status.ts'

export interface Escolhida {
  readonly mensagem: Mensagem
  readonly botao: HTMLElement
}

const citadas = new Map<string, Mensagem>()
addEventListener('saiu', () => citadas.clear())

/** True if the service has an id for the mensagem, so it can be quoted or reacted to. */
export function alcancavel({ temporaria, estado, apagada, ligacao }: Mensagem): boolean {
  const parada = estado === 'pendente' || estado === 'falhou' || estado === 'limite'
  return temporaria !== true && apagada !== true && ligacao === undefined && !parada
}

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
    /** Undefined if the connector does not support it or the user may not write. Otherwise stable. */
    abrir: pode ? abrir : undefined,
  }
}
