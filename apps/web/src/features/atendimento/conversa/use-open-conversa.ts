import type { Conversa } from '@balcao/contract/entities/conversa'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { useKnownConversas, useSingleConversa } from '#shared/data/conversas/known-conversas.ts'
import { onSocketEvent } from '#shared/realtime/socket.ts'
import { focusChat } from '#features/atendimento/focus-chat.ts'

export interface Selection {
  readonly id: string | undefined
  readonly open: (id: string) => void
  readonly close: () => void
  readonly clear: () => void
}

/** The open conversa is in the URL: Back closes it, a link opens it. The functions are stable. */
export function useSelection(singleColumn: boolean): Selection {
  const navigate = useNavigate()
  const id = useSearch({ strict: false, select: ({ c }) => c })
  const goTo = useCallback(
    (c: string | undefined, replace: boolean) =>
      void navigate({
        to: '/dashboard',
        search: c === undefined ? { aba: 'atendimento' } : { aba: 'atendimento', c },
        replace,
        resetScroll: false,
      }),
    [navigate],
  )
  // A ref keeps the functions stable, so a new selection does not re-render their users.
  const current = useRef(id)
  useEffect(() => void (current.current = id))
  const open = useCallback(
    (c: string) => {
      // An open chat does not mount again.
      if (c === current.current) focusChat()
      goTo(c, !singleColumn)
    },
    [goTo, singleColumn],
  )
  const clear = useCallback(() => goTo(undefined, true), [goTo])
  const close = useCallback(() => {
    const before = current.current ?? ''
    clear()
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-conversa="${CSS.escape(before)}"]`)?.focus())
  }, [clear])
  return { id, open, close, clear }
}

export interface OpenConversaSources {
  readonly open: readonly Conversa[]
  readonly fromServer: readonly Conversa[]
  readonly loading: boolean
  readonly restricted: boolean
}

/**
 * Finds the conversa of the URL in the list, the server results, or by a separate request.
 * Closes it if it finishes while open, or if it left the setores of the operador. A conversa that was opened finished
 * stays readable.
 */
export function useOpenConversa({ id, clear }: Selection, sources: OpenConversaSources): Conversa | undefined {
  const { byId } = useKnownConversas()
  // The local copy of the list is not in the store.
  const found = id === undefined ? undefined : (byId.get(id) ?? findById(sources.open, id))
  const missing = found === undefined && !sources.loading
  const { error } = useSingleConversa(id, missing)
  const listed = findById(sources.fromServer, id) !== undefined
  const seenOpen = useCloseWhenFinished({ id, clear }, listed, found)
  // Only a 4xx means that it does not exist here. After a network error the local copy or a later answer may have it.
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500
  const gone = id !== undefined && missing && refused
  const { restricted } = sources
  useEffect(() => {
    if (!gone) return
    const seen = seenOpen.current === id
    if (restricted && seen) notify.info('Esta conversa foi para outro setor.')
    if (!seen) notify.erro('Conversa não encontrada. Ela pode ter sido apagada ou ser de outro setor.')
    clear()
  }, [gone, restricted, seenOpen, id, clear])
  return found
}

function findById(conversas: readonly Conversa[], id: string | undefined): Conversa | undefined {
  return id === undefined ? undefined : conversas.find((conversa) => conversa.id === id)
}

/** `listed`: the list of finished conversas shows it. Returns the id of the last conversa that was open on the screen. */
function useCloseWhenFinished(
  { id, clear }: Pick<Selection, 'id' | 'clear'>,
  listed: boolean,
  found: Conversa | undefined,
): RefObject<string | undefined> {
  const seenOpen = useRef<string | undefined>(undefined)
  useEffect(
    () =>
      onSocketEvent(({ evento, dados }) => {
        if (evento === 'conversaFinalizada' && dados.conversaId === id) clear()
      }),
    [id, clear],
  )
  useEffect(() => {
    if (found !== undefined && found.status !== 'finalizada') seenOpen.current = found.id
  }, [found])
  const finished = found?.status === 'finalizada' && !listed
  useEffect(() => {
    if (finished && seenOpen.current === id) clear()
  }, [finished, id, clear])
  return seenOpen
}
