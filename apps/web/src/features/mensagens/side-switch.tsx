import clsx from 'clsx'

export type EditorSide = 'editar' | 'simular'

export function SideSwitch({ lado, onMudar }: { lado: EditorSide; onMudar: (lado: EditorSide) => void }) {
  return (
    <div
      role="group"
      aria-label="O que mostrar"
      className="mb-4 grid grid-cols-2 gap-1 rounded-xl bg-sunken p-1 lg:hidden"
    >
      {(['editar', 'simular'] as const).map((value) => (
        <button
          key={value}
          type="button"
          aria-pressed={lado === value}
          onClick={() => onMudar(value)}
          className={clsx(
            'min-h-10 rounded-lg font-semibold',
            lado === value ? 'bg-surface shadow-card' : 'text-muted',
          )}
        >
          {value === 'editar' ? 'Menu e mensagens' : 'Simular'}
        </button>
      ))}
    </div>
  )
}
