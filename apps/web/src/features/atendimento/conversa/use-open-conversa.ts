import type { Conversa } from '@balcao/contract/entities/conversa'
import { useEffect, useRef } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { onSocketEvent } from '#shared/realtime/socket.ts'
import { useSingleConversa } from '#features/atendimento/lista/use-conversas.ts'
import type { useSelection } from '#features/atendimento/use-selecao.ts'

/**
 * Finds the conversa of the URL in the list, the server results, or by a separate request.
 * Closes it if it finishes while open. A conversa that was opened finished stays readable.
 */
export function useOpenConversa(
  { id, limpar }: ReturnType<typeof useSelection>,
  openConversas: readonly Conversa[],
  fromServer: readonly Conversa[],
  loading: boolean,
): Conversa | undefined {
  const naTela = id === undefined ? undefined : (findById(openConversas, id) ?? findById(fromServer, id))
  const { data: avulsa, error } = useSingleConversa(id, naTela === undefined && !loading)
  const vistaViva = useRef<string | undefined>(undefined)
  useEffect(
    () =>
      onSocketEvent(({ evento, dados }) => {
        if (evento === 'conversaFinalizada' && dados.conversaId === id) limpar()
      }),
    [id, limpar],
  )
  useEffect(() => {
    if (naTela !== undefined && naTela.status !== 'finalizada') vistaViva.current = naTela.id
  }, [naTela])
  const found = naTela ?? (avulsa?.id === id ? avulsa : undefined)
  const terminou = found?.status === 'finalizada' && naTela === undefined
  // Only a 4xx means that it does not exist here. After a network error the local copy or a later answer may have
  // it.
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500
  const semConversa = id !== undefined && naTela === undefined && !loading && refused
  useEffect(() => {
    if (semConversa || (terminou && vistaViva.current === id)) limpar()
  }, [semConversa, terminou, id, limpar])
  return found
}

function findById(conversas: readonly Conversa[], id: string): Conversa | undefined {
  return conversas.find((conversa) => conversa.id === id)
}
