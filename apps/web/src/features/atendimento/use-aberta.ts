import type { Conversa } from '@balcao/contract/entities/conversa'
import { useEffect, useRef } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { onEvento } from '#shared/socket.ts'
import { useConversaAvulsa } from './dados.ts'
import type { useSelecao } from './use-selecao.ts'

/**
 * The conversation of the address: in the list, among what the server found, or asked for alone. One that ends while it is open
 * leaves the screen (spec §4 "Human conversation"); one opened from the finished ones, or by a link, is read.
 */
export function useAberta(
  { id, limpar }: ReturnType<typeof useSelecao>,
  abertas: readonly Conversa[],
  doServidor: readonly Conversa[],
  carregando: boolean,
): Conversa | undefined {
  const naTela = id === undefined ? undefined : (acharEm(abertas, id) ?? acharEm(doServidor, id))
  const { data: avulsa, error } = useConversaAvulsa(id, naTela === undefined && !carregando)
  const vistaViva = useRef<string | undefined>(undefined)
  useEffect(
    () =>
      onEvento(({ evento, dados }) => {
        if (evento === 'conversaFinalizada' && dados.conversaId === id) limpar()
      }),
    [id, limpar],
  )
  useEffect(() => {
    if (naTela !== undefined && naTela.status !== 'finalizada') vistaViva.current = naTela.id
  }, [naTela])
  const achada = naTela ?? (avulsa?.id === id ? avulsa : undefined)
  const terminou = achada?.status === 'finalizada' && naTela === undefined
  // Only the server knows that it is nobody's: without a word from it, the local copy or a later answer may still have it.
  const recusada = error instanceof ApiError && error.status >= 400 && error.status < 500
  const semConversa = id !== undefined && naTela === undefined && !carregando && recusada
  useEffect(() => {
    if (semConversa || (terminou && vistaViva.current === id)) limpar()
  }, [semConversa, terminou, id, limpar])
  return achada
}

function acharEm(conversas: readonly Conversa[], id: string): Conversa | undefined {
  return conversas.find((conversa) => conversa.id === id)
}
