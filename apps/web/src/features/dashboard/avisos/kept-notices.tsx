import type { ResponseOf } from '@balcao/contract/define-route'
import { avisosRoute, lerAvisosRoute } from '@balcao/contract/routes/avisos'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#shared/api-client.ts'
import { onSocketEvent } from '#shared/realtime/socket.ts'
import { useLoginSession } from '#shared/session.tsx'

/** Notices that the server keeps for the person, also while the panel is closed. */

const KEPT_KEY = ['avisos'] as const
type Kept = ResponseOf<typeof avisosRoute>

export function useKeptNotices(): Kept | undefined {
  return useQuery({
    queryKey: KEPT_KEY,
    queryFn: ({ signal }) => call(avisosRoute, { signal }),
    retry: false,
    networkMode: 'always',
  }).data
}

function addNotice({ avisos, naoLidos, ...page }: Kept, aviso: Kept['avisos'][number]): Kept {
  if (avisos.some(({ id }) => id === aviso.id)) return { avisos, naoLidos, ...page }
  return { ...page, avisos: [aviso, ...avisos], naoLidos: naoLidos + 1 }
}

/** Opening the list marks all of it as read on all devices. A failed mark is repeated with the next opening. */
export async function markKeptRead(client: QueryClient): Promise<void> {
  const kept = client.getQueryData<Kept>(KEPT_KEY)
  const ate = kept?.avisos[0]?.id
  if (kept === undefined || ate === undefined || kept.naoLidos === 0) return
  await call(lerAvisosRoute, { body: { ate } })
  client.setQueryData<Kept>(KEPT_KEY, (now) => now && { ...now, naoLidos: 0 })
}

/** Follows the notices by events and reports the number of unread ones. */
export function KeptNoticeCount({ onCount }: { readonly onCount: (count: number) => void }) {
  const client = useQueryClient()
  const contaId = useLoginSession().usuario?.contaId
  const naoLidos = useKeptNotices()?.naoLidos ?? 0
  useEffect(() => onCount(naoLidos), [naoLidos, onCount])
  useEffect(
    () =>
      onSocketEvent(({ evento, dados }) => {
        if (dados.userId !== contaId) return
        if (evento === 'avisoNovo') client.setQueryData<Kept>(KEPT_KEY, (kept) => kept && addNotice(kept, dados.aviso))
        // Reading a conversa also reads the notices about it.
        const unread = client.getQueryData<Kept>(KEPT_KEY)?.avisos.filter(({ lidoEm }) => lidoEm === undefined) ?? []
        if (evento === 'leituraMudou' && unread.some(({ conversaId }) => conversaId === dados.conversaId)) {
          void client.invalidateQueries({ queryKey: KEPT_KEY })
        }
      }),
    [client, contaId],
  )
  return null
}
