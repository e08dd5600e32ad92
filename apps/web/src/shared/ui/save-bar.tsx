import { Button } from './button.tsx'

export interface SaveBarProps {
  readonly changed: boolean
  readonly saving: boolean
  readonly onDiscard: () => void
  readonly onSave: () => void
}

export function SaveBar({ changed, saving, onDiscard, onSave }: SaveBarProps) {
  if (!changed) return null
  return (
    <div
      className="barra-salvar rise sticky z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-3 rounded-2xl border border-line bg-surface py-2 pr-2 pl-4 shadow-pop max-[26rem]:pl-2"
      role="region"
      aria-label="Alterações não salvas"
    >
      <span className="text-sm font-semibold max-[26rem]:sr-only">Alterações não salvas</span>
      <Button variant="ghost" size="sm" onClick={onDiscard} disabled={saving}>
        Descartar
      </Button>
      <Button variant="primary" size="sm" onClick={onSave} busy={saving}>
        {saving ? 'Salvando…' : 'Salvar alterações'}
      </Button>
    </div>
  )
}
