import type { Setor } from '@balcao/contract/entities/config'
import type { Linha } from '@balcao/contract/entities/linha'
import { Plus } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useLinhasQuery } from '#shared/conta/linhas.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { LazyPart } from '#shared/ui/lazy-part.tsx'
import type { OpenLinhaDialog } from './linha-card.tsx'

const LinhaSection = lazy(async () => ({ default: (await import('./linha-section.tsx')).LinhaSection }))
const LinhaDialogs = lazy(async () => ({ default: (await import('./linha-dialogs.tsx')).LinhaDialogs }))

const NO_LINHAS: readonly Linha[] = []

interface LinesAreaProps {
  readonly setores: readonly Setor[]
  readonly hasClientId: boolean
  /** Shown while the account has one line, or its lines are unknown. */
  readonly children: ReactNode
}

export function LinesArea({ setores, hasClientId, children }: LinesAreaProps) {
  const { data: linhas = NO_LINHAS, error, refetch } = useLinhasQuery()
  const [dialog, setDialog] = useState<OpenLinhaDialog | null>(null)
  useFocusAfterDeletion(linhas, dialog !== null)
  return (
    <>
      {linhas.length > 1 ? (
        <LazyPart name="as linhas" drawCard>
          <LinhaSection {...{ linhas, setores, hasClientId }} onDialog={setDialog} />
        </LazyPart>
      ) : (
        <>
          {children}
          <AddLinha
            known={linhas}
            error={error}
            onRetry={() => void refetch()}
            onAdd={() => setDialog({ act: 'criar' })}
          />
        </>
      )}
      <Suspense>{dialog !== null && <LinhaDialogs {...{ dialog, linhas, setores }} onDialog={setDialog} />}</Suspense>
    </>
  )
}

/** Moves a focus that was lost with the card of a deleted line to the heading of what is left. */
function useFocusAfterDeletion(linhas: readonly Linha[], dialogOpen: boolean): void {
  const before = useRef(linhas)
  useEffect(() => {
    if (dialogOpen) return
    const gone = before.current.some(({ id }) => !linhas.some((linha) => linha.id === id))
    before.current = linhas
    if (!gone || document.activeElement !== document.body) return
    const heading = document.getElementById('linhas') ?? document.getElementById('status-do-bot')
    heading?.focus({ preventScroll: true })
  }, [linhas, dialogOpen])
}

interface AddLinhaProps {
  readonly known: readonly Linha[]
  readonly error: Error | null
  readonly onRetry: () => void
  readonly onAdd: () => void
}

/** Quiet, because most accounts stay with one line. Only the owner adds one. */
function AddLinha({ known, error, onRetry, onAdd }: AddLinhaProps) {
  const { tipo } = useUsuario()
  if (tipo === 'operador') return null
  if (known.length === 0) {
    if (error === null) return null
    return (
      <p role="status" className="-mt-2 flex flex-wrap items-center justify-end gap-2 text-sm text-muted">
        <span>Não foi possível carregar as linhas.</span>
        <Button variant="ghost" size="sm" onClick={onRetry}>
          Carregar de novo
        </Button>
      </p>
    )
  }
  return (
    <div className="-mt-2 flex flex-wrap items-center justify-end gap-x-2 text-sm text-muted">
      <span>Tem outro número, ou quer atender pelo site?</span>
      <Button id="adicionar-linha" variant="ghost" size="sm" onClick={onAdd}>
        <Plus aria-hidden className="size-4" /> Adicionar uma linha
      </Button>
    </div>
  )
}
