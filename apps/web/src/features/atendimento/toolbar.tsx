import type { Setor } from '@balcao/contract/entities/config'
import { BellOff, BellRing, ChevronDown, type LucideIcon, MessageSquarePlus, Settings2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { type NoticePreferences, readPreferences, storePreferences, togglePreferences } from './avisos/preferences.ts'
import { AvailabilitySwitch } from './availability.tsx'
import { TestButtons } from './test-conversa.tsx'

const SetoresDialog = lazy(async () => ({ default: (await import('./setores/setores-dialog.tsx')).SetoresDialog }))
const NewConversaDialog = lazy(async () => ({
  default: (await import('./acoes/new-conversa-dialog.tsx')).NewConversaDialog,
}))
const PreferencesDialog = lazy(async () => ({
  default: (await import('./avisos/preferences-dialog.tsx')).PreferencesDialog,
}))

interface NamedButtonProps {
  readonly label: string
  readonly icon: LucideIcon
  readonly onClick: () => void
}

/** An icon with its name, and with the name as a tip where the row has no space for it. */
function NamedButton({ label, icon: Icon, onClick }: NamedButtonProps) {
  return (
    <Button
      variant="ghost"
      size="touch"
      aria-haspopup="dialog"
      data-tip={label}
      className="tip max-xl:w-11 max-xl:px-0 xl:after:hidden"
      onClick={onClick}
    >
      <Icon size={18} aria-hidden />
      <span className="max-xl:sr-only">{label}</span>
    </Button>
  )
}

interface NoticeButtonsProps {
  readonly preferences: NoticePreferences
  readonly onStore: (fresh: NoticePreferences) => void
  readonly onOptions: () => void
}

/** The switch of the notices and their options. */
function NoticeButtons({ preferences, onStore, onOptions }: NoticeButtonsProps) {
  const enabled = preferences.nivel !== 'nada'
  const Bell = enabled ? BellRing : BellOff
  return (
    <>
      <IconButton
        label="Notificações"
        role="switch"
        aria-checked={enabled}
        size="touch"
        icon={<Bell size={18} aria-hidden className={enabled ? 'text-brand' : undefined} />}
        onClick={() => onStore(togglePreferences(preferences))}
      />
      <IconButton
        label="Opções de notificação"
        size="touch"
        aria-haspopup="dialog"
        icon={<ChevronDown size={16} aria-hidden />}
        className="sm:-ml-1 sm:w-7! sm:min-w-7!"
        onClick={onOptions}
      />
    </>
  )
}

export function Toolbar({ setores }: { setores: readonly Setor[] }) {
  const [open, setOpen] = useState<'setores' | 'notificacoes' | 'nova' | null>(null)
  const [preferences, setPreferences] = useState(readPreferences)
  const isDono = useUsuario().tipo !== 'operador'
  const close = (): void => setOpen(null)
  const store = (fresh: NoticePreferences): void => {
    storePreferences(fresh)
    setPreferences(fresh)
  }
  useHotkeys({
    m: () => {
      const som = !preferences.som
      store({ ...preferences, som })
      notify.sucesso(som ? 'Som das notificações ligado.' : 'Som das notificações desligado.')
    },
  })
  return (
    <>
      <NamedButton label="Nova conversa" icon={MessageSquarePlus} onClick={() => setOpen('nova')} />
      <AvailabilitySwitch />
      <span aria-hidden className="flex-1" />
      <TestButtons setores={setores} />
      <NoticeButtons preferences={preferences} onStore={store} onOptions={() => setOpen('notificacoes')} />
      {isDono && <NamedButton label="Configurar setores" icon={Settings2} onClick={() => setOpen('setores')} />}
      <Suspense>
        {open === 'nova' && <NewConversaDialog setores={setores} onClose={close} />}
        {open === 'setores' && <SetoresDialog setores={setores} onClose={close} />}
        {open === 'notificacoes' && <PreferencesDialog preferences={preferences} onChange={store} onClose={close} />}
      </Suspense>
    </>
  )
}
