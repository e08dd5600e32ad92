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
  const { title, icon: Icone } = QUICK_ACTION_DESCRIPTION[action]
  const rodando = running?.action === action
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
        <Icone aria-hidden className="size-4 flex-none" />
      )}
      <span>{title}</span>
      {rodando && running.step !== undefined && <output className="ml-auto text-xs">{running.step}</output>}
    </button>
  )
}

export function ActionList({ acoes, onPedirLimpeza }: { acoes: QuickActions; onPedirLimpeza: () => void }) {
  return (
    <section aria-labelledby="acoes-rapidas">
      <h2 id="acoes-rapidas" className="px-2 text-sm font-semibold">
        Ações rápidas
      </h2>
      <div className="mt-1">
        <ActionButton action="setup" actions={acoes} onClick={() => void acoes.quickSetup()} />
        <ActionButton action="limpar" actions={acoes} onClick={onPedirLimpeza} />
        <ActionButton action="recarregar" actions={acoes} onClick={() => void acoes.reload()} />
        <ActionButton action="verificar" actions={acoes} onClick={() => void acoes.check()} />
      </div>
    </section>
  )
}
