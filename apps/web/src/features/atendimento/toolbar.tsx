import type { Setor } from '@balcao/contract/entities/config'
import { testeConversaRoute } from '@balcao/contract/routes/atendimento'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Bell, BellOff, FlaskConical, Settings2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUsuario } from '#shared/session.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Menu } from '#shared/ui/menu.tsx'
import { type NoticePreferences, readPreferences, storePreferences } from './avisos/preferences.ts'

const SetoresDialog = lazy(async () => ({ default: (await import('./setores/setores-dialog.tsx')).SetoresDialog }))
const PreferencesDialog = lazy(async () => ({
  default: (await import('./avisos/preferences-dialog.tsx')).PreferencesDialog,
}))

const TEST_SETORES = ['vendas', 'suporte', 'financeiro']
const REFETCH_AFTER_TEST_MS = 1_000

async function createTestConversa(client: QueryClient, { id, nome }: Setor): Promise<void> {
  try {
    await call(testeConversaRoute, { body: { setor: id } })
    notify.sucesso(`Conversa de teste criada no setor ${nome}!`)
    setTimeout(() => void client.invalidateQueries({ queryKey: QUERY_KEYS.conversas }), REFETCH_AFTER_TEST_MS)
  } catch (error) {
    notify.erro(`Erro ao criar conversa de teste: ${errorMessage(error)}`)
  }
}

/** Creates a test conversa in one of three setores, without cost to the daily limit. */
export function TestConversa({ setores }: { setores: readonly Setor[] }) {
  const client = useQueryClient()
  const choices = setores.filter(({ id }) => TEST_SETORES.includes(id))
  if (choices.length === 0) return null
  return (
    <Menu
      label="Testar conversa"
      button={
        <>
          <FlaskConical size={18} aria-hidden /> <span className="max-sm:sr-only">Testar</span>
        </>
      }
      items={choices.map((setor) => ({ label: setor.nome, run: () => void createTestConversa(client, setor) }))}
      className="btn btn-ghost btn-touch flex-none px-3"
    />
  )
}

/** The setor settings are only for the dono. */
export function Toolbar({ setores }: { setores: readonly Setor[] }) {
  const [open, setOpen] = useState<'setores' | 'notificacoes' | null>(null)
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
      <TestConversa setores={setores} />
      <IconButton
        label={enabled ? 'Notificações' : 'Notificações desligadas'}
        size="touch"
        aria-haspopup="dialog"
        icon={enabled ? <Bell size={18} aria-hidden /> : <BellOff size={18} aria-hidden />}
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
        {open === 'setores' && <SetoresDialog setores={setores} onClose={close} />}
        {open === 'notificacoes' && <PreferencesDialog preferences={preferences} onChange={store} onClose={close} />}
      </Suspense>
    </>
  )
}
