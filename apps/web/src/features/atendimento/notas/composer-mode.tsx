import type { Conversa } from '@balcao/contract/entities/conversa'
import clsx from 'clsx'
import { StickyNote } from 'lucide-react'
import { lazy, type ReactNode } from 'react'
import type { LinhaLook } from '#shared/conta/linha-look.ts'
import { LinhaMark } from '#shared/conta/linha-mark.tsx'
import { LazyPart } from '#shared/ui/lazy-part.tsx'

const NotaComposer = lazy(async () => ({ default: (await import('./nota-composer.tsx')).NotaComposer }))

export type ComposerMode = 'mensagem' | 'nota'

interface ModeButtonProps {
  readonly pressed: boolean
  readonly onPress: () => void
  readonly children: ReactNode
}

function ModeButton({ pressed, onPress, children }: ModeButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className="flex min-h-11 items-center gap-1.5 rounded-lg px-2 text-xs font-semibold text-muted hover:bg-sunken lg:min-h-7 aria-pressed:bg-brand-soft aria-pressed:text-brand-ink aria-pressed:in-data-nota:bg-surface aria-pressed:in-data-nota:text-warn-ink"
    >
      {children}
    </button>
  )
}

interface ByLinhaProps {
  readonly linha: LinhaLook
  readonly className: string
}

export function ByLinha({ linha, className }: ByLinhaProps) {
  return (
    <p className={clsx('flex min-w-0 items-center gap-1 px-1 text-xs text-muted', className)}>
      <span className="flex-none">pela linha</span> <LinhaMark linha={linha} named />
    </p>
  )
}

interface ComposerFrameProps {
  readonly conversa: Conversa
  /** The line by which a message leaves. Undefined while the account has one line. */
  readonly linha: LinhaLook | undefined
  readonly mode: ComposerMode
  readonly onMode: (mode: ComposerMode) => void
  readonly children: ReactNode
}

export function ComposerFrame({ conversa, linha, mode, onMode, children }: ComposerFrameProps) {
  const isNota = mode === 'nota'
  return (
    <div
      data-nota={isNota ? '' : undefined}
      className={clsx('lg:border-t', isNota ? 'border-t border-warn-fill bg-warn-soft' : 'bg-surface')}
    >
      <div
        role="group"
        aria-label="Escrever"
        // On a phone the menu opens a nota, which leaves the height to the mensagens.
        className={clsx('flex flex-wrap items-center gap-1 px-2 pt-1 lg:flex', isNota ? 'flex' : 'hidden')}
      >
        <ModeButton pressed={!isNota} onPress={() => onMode('mensagem')}>
          Mensagem
        </ModeButton>
        <ModeButton pressed={isNota} onPress={() => onMode('nota')}>
          <StickyNote size={14} aria-hidden /> Nota interna
        </ModeButton>
        {!isNota && linha !== undefined && <ByLinha linha={linha} className="ml-auto" />}
        {isNota && <p className="ml-auto px-1 text-xs font-semibold text-warn-ink">O cliente não recebe</p>}
      </div>
      {isNota ? (
        <div className="p-2">
          <LazyPart name="a nota">
            <NotaComposer conversa={conversa} onLeave={() => onMode('mensagem')} />
          </LazyPart>
        </div>
      ) : (
        children
      )}
    </div>
  )
}
