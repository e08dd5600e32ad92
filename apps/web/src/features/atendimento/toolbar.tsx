import type { Setor } from '@balcao/contract/entities/config'
import { BellOff, BellRing, ChevronDown, MessageSquarePlus, Settings2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUsuario } from '#shared/session.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { type NoticePreferences, readPreferences, storePreferences, togglePreferences } from './avisos/preferences.ts'
import { AvailabilitySwitch } from './availability.tsx'
import { TestMenu } from './test-conversa.tsx'

const SetoresDialog = lazy(async () => ({ default: (await import('./setores/setores-dialog.tsx')).SetoresDialog }))
const NewConversaDialog = lazy(async () => ({
  default: (await import('./acoes/new-conversa-dialog.tsx')).NewConversaDialog,
}))
const PreferencesDialog = lazy(async () => ({
  default: (await import('./avisos/preferences-dialog.tsx')).PreferencesDialog,
}))

/** The setor settings are only for the dono. */
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
  const enabled = preferences.nivel !== 'nada'
  return (
    <>
      <IconButton
        label="Nova conversa"
        size="touch"
        aria-haspopup="dialog"
        icon={<MessageSquarePlus size={18} aria-hidden />}
        onClick={() => setOpen('nova')}
      />
      <AvailabilitySwitch />
      <TestMenu setores={setores} iconOnly />
      <IconButton
        label="Notificações"
        role="switch"
        aria-checked={enabled}
        size="touch"
        icon={enabled ? <BellRing size={18} aria-hidden className="text-brand" /> : <BellOff size={18} aria-hidden />}
        onClick={() => store(togglePreferences(preferences))}
      />
      <IconButton
        label="Opções de notificação"
        size="touch"
        aria-haspopup="dialog"
        icon={<ChevronDown size={16} aria-hidden />}
        className="-ml-1 w-7!"
        onClick={() => setOpen('notificacoes')}
      />
      {isDono && (
        <IconButton
          label="Configurar setores"
          size="touch"
          icon={<Settings2 size={18} aria-hidden />}
          onClick={() => setOpen('setores')}
        />
      )}
      <Suspense>
        {open === 'nova' && <NewConversaDialog setores={setores} onClose={close} />}
        {open === 'setores' && <SetoresDialog setores={setores} onClose={close} />}
        {open === 'notificacoes' && <PreferencesDialog preferences={preferences} onChange={store} onClose={close} />}
      </Suspense>
    </>
  )
}
