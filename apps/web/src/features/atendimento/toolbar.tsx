import type { Setor } from '@balcao/contract/entities/config'
import { Bell, BellOff, Settings2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUsuario } from '#shared/session.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { storePreferences, readPreferences, type NoticePreferences } from './avisos/preferences.ts'
import { TestConversa } from './testar.tsx'

const SetoresDialog = lazy(async () => ({ default: (await import('./setores/setores-dialog.tsx')).SetoresDialog }))
const PreferencesDialog = lazy(async () => ({
  default: (await import('./avisos/preferences-dialog.tsx')).PreferencesDialog,
}))

/** The setor settings are only for the dono. */
export function Toolbar({ setores }: { setores: readonly Setor[] }) {
  const [open, setAberto] = useState<'setores' | 'notificacoes' | null>(null)
  const [preferencias, setPreferencias] = useState(readPreferences)
  const dono = useUsuario().tipo !== 'operador'
  const close = (): void => setAberto(null)
  const store = (fresh: NoticePreferences): void => {
    storePreferences(fresh)
    setPreferencias(fresh)
  }
  useHotkeys({
    m: () => {
      const som = !preferencias.som
      store({ ...preferencias, som })
      notify.sucesso(som ? 'Som das notificações ligado.' : 'Som das notificações desligado.')
    },
  })
  const ligadas = preferencias.nivel !== 'nada'
  return (
    <>
      <TestConversa setores={setores} />
      <IconButton
        label={ligadas ? 'Notificações' : 'Notificações desligadas'}
        className="!size-11"
        aria-haspopup="dialog"
        icon={ligadas ? <Bell size={18} aria-hidden /> : <BellOff size={18} aria-hidden />}
        onClick={() => setAberto('notificacoes')}
      />
      {dono && (
        <IconButton
          label="Configurar setores"
          className="!size-11"
          icon={<Settings2 size={18} aria-hidden />}
          onClick={() => setAberto('setores')}
        />
      )}
      <Suspense>
        {open === 'setores' && <SetoresDialog setores={setores} onFechar={close} />}
        {open === 'notificacoes' && <PreferencesDialog preferences={preferencias} onChange={store} onClose={close} />}
      </Suspense>
    </>
  )
}
