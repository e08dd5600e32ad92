import { Activity, Eraser, LoaderCircle, type LucideIcon, RefreshCw, Zap } from 'lucide-react'
import type { QuickAction, QuickActions } from './quick-actions.ts'

export const QUICK_ACTION_DESCRIPTION: Readonly<Record<QuickAction, { title: string; icon: LucideIcon }>> = {
  setup: { title: 'Setup Rápido', icon: Zap },
  limpar: { title: 'Limpar Sessão', icon: Eraser },
  recarregar: { title: 'Recarregar Config', icon: RefreshCw },
  verificar: { title: 'Verificar Status Bot', icon: Activity },
}

interface ActionButtonProps {
  readonly action: QuickAction
  readonly actions: QuickActions
  readonly onClick: () => void
}

function ActionButton({ action, actions: { running }, onClick }: ActionButtonProps) {
  const { title, icon: Icon } = QUICK_ACTION_DESCRIPTION[action]
  const rodando = running === action
  return (
    <button
      type="button"
      className="flex min-h-9 w-full items-center gap-2.5 rounded-lg px-2 text-left text-sm text-muted hover:bg-sunken hover:text-ink disabled:opacity-55 disabled:hover:bg-transparent"
      disabled={running !== null && !rodando}
      aria-busy={rodando}
      onClick={onClick}
    >
      {rodando ? (
        <LoaderCircle aria-hidden className="size-4 animate-spin" />
      ) : (
        <Icon aria-hidden className="size-4 flex-none" />
      )}
      <span>{title}</span>
    </button>
  )
}

export function ActionList({ actions, onAskClear }: { actions: QuickActions; onAskClear: () => void }) {
  return (
    <section aria-labelledby="acoes-rapidas">
      <h2 id="acoes-rapidas" className="px-2 text-sm font-semibold">
        Ações rápidas
      </h2>
      <div className="mt-1">
        <ActionButton action="setup" actions={actions} onClick={() => void actions.quickSetup()} />
        <ActionButton action="limpar" actions={actions} onClick={onAskClear} />
        <ActionButton action="recarregar" actions={actions} onClick={() => void actions.reload()} />
        <ActionButton action="verificar" actions={actions} onClick={() => void actions.check()} />
      </div>
    </section>
  )
}
