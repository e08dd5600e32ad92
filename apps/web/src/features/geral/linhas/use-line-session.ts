import { BOT_STATUS_INICIAL } from '@balcao/contract/bot-status'
import { CONNECTORS } from '@balcao/contract/connectors'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { Linha } from '@balcao/contract/entities/linha'
import {
  iniciarLinhaRoute,
  limparSessaoDaLinhaRoute,
  pararLinhaRoute,
  statusDaLinhaRoute,
} from '@balcao/contract/routes/linhas-sessao'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#shared/api-client.ts'
import { patchLinha } from '#shared/conta/linhas.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { onSocketEvent, useSocketState } from '#shared/realtime/socket.ts'
import { type LineSession, useSessionActs } from './session-acts.ts'

const POLL_PAIRING_MS = 2_000

const statusKey = (id: string) => ['linha', id, 'status'] as const

const isPairing = ({ status }: Pick<Linha, 'status'>): boolean =>
  status === 'INICIALIZANDO' || status === 'AGUARDANDO_QR' || status === 'autenticado'

function readLinha(client: QueryClient, id: string): Linha | undefined {
  return client.getQueryData<readonly Linha[]>(QUERY_KEYS.linhas)?.find((linha) => linha.id === id)
}

/** Shows a status in the list, unless an event changed the line after `before` was read. */
function storeStatus(
  client: QueryClient,
  before: Linha | undefined,
  { status, motivo, conectadoComo }: BotStatus,
): void {
  if (before === undefined || readLinha(client, before.id) !== before) return
  patchLinha(client, before.id, ({ motivo: _motivo, conectadoComo: _number, ...linha }) => ({
    ...linha,
    status,
    ...(motivo === undefined ? {} : { motivo }),
    ...(conectadoComo === undefined ? {} : { conectadoComo }),
  }))
}

/** The status with the QR code, which lists of lines never carry. Read only while the line is being linked. */
function usePairingStatus(linha: Linha) {
  const client = useQueryClient()
  const offline = useSocketState().tipo !== 'online'
  const { id } = linha
  useEffect(
    () =>
      onSocketEvent(({ evento, dados }) => {
        if (evento !== 'linhaQrCode' || dados.linhaId !== id) return
        const { qrCode, qrExpiraEm } = dados
        // An answer in flight is older than the event.
        void client.cancelQueries({ queryKey: statusKey(id) })
        client.setQueryData<BotStatus>(statusKey(id), (known = BOT_STATUS_INICIAL) => ({
          ...known,
          qrCode,
          qrExpiraEm,
        }))
        patchLinha(client, id, (known) => ({ ...known, status: 'AGUARDANDO_QR' }))
      }),
    [client, id],
  )
  return useQuery({
    queryKey: statusKey(id),
    queryFn: async ({ signal }) => {
      const before = readLinha(client, id)
      const status = await call(statusDaLinhaRoute, { params: { id }, signal })
      storeStatus(client, before, status)
      return status
    },
    enabled: isPairing(linha),
    // Also while online until there is a code: its event may be lost.
    refetchInterval: ({ state }) =>
      isPairing(linha) && (offline || (state.data?.qrCode ?? null) === null) ? POLL_PAIRING_MS : false,
    staleTime: 0,
    retry: false,
  })
}

export function useOtherSession(linha: Linha): LineSession {
  const client = useQueryClient()
  const { data, refetch } = usePairingStatus(linha)
  const params = { id: linha.id }
  const act = async (run: () => Promise<BotStatus>): Promise<void> => {
    const before = readLinha(client, linha.id)
    // A code of an earlier attempt must not appear again.
    client.removeQueries({ queryKey: statusKey(linha.id) })
    storeStatus(client, before, await run())
  }
  const acts = useSessionActs({
    start: () => act(() => call(iniciarLinhaRoute, { params })),
    stop: () => act(() => call(pararLinhaRoute, { params })),
    clear: () => act(() => call(limparSessaoDaLinhaRoute, { params })),
  })
  const waits = linha.status === 'AGUARDANDO_QR'
  return {
    state: {
      ...linha,
      qrCode: waits ? (data?.qrCode ?? null) : null,
      qrExpiraEm: data?.qrExpiraEm,
      modoTeste: CONNECTORS[linha.conector].pairing === 'simulated',
    },
    known: true,
    ...acts,
    refresh: () => refetch(),
  }
}
