import type { Setor } from '@balcao/contract/entities/config'
import { Bell, BellOff, Settings2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { avisar } from '#shared/avisos.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUsuario } from '#shared/session.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { guardarPreferencias, lerPreferencias, type Preferencias } from './preferencias.ts'
import { Testar } from './testar.tsx'

const Setores = lazy(async () => ({ default: (await import('./setores.tsx')).Setores }))
const Notificacoes = lazy(async () => ({ default: (await import('./notificacoes.tsx')).Notificacoes }))

/** The setor settings are only for the dono. */
export function Ferramentas({ setores }: { setores: readonly Setor[] }) {
  const [aberto, setAberto] = useState<'setores' | 'notificacoes' | null>(null)
  const [preferencias, setPreferencias] = useState(lerPreferencias)
  const dono = useUsuario().tipo !== 'operador'
  const fechar = (): void => setAberto(null)
  const guardar = (novas: Preferencias): void => {
    guardarPreferencias(novas)
    setPreferencias(novas)
  }
  useHotkeys({
    m: () => {
      const som = !preferencias.som
      guardar({ ...preferencias, som })
      avisar.sucesso(som ? 'Som das notificações ligado.' : 'Som das notificações desligado.')
    },
  })
  const ligadas = preferencias.nivel !== 'nada'
  return (
    <>
      <Testar setores={setores} />
      <IconButton
        rotulo={ligadas ? 'Notificações' : 'Notificações desligadas'}
        className="!size-11"
        aria-haspopup="dialog"
        icone={ligadas ? <Bell size={18} aria-hidden /> : <BellOff size={18} aria-hidden />}
        onClick={() => setAberto('notificacoes')}
      />
      {dono && (
        <IconButton
          rotulo="Configurar setores"
          className="!size-11"
          icone={<Settings2 size={18} aria-hidden />}
          onClick={() => setAberto('setores')}
        />
      )}
      <Suspense>
        {aberto === 'setores' && <Setores setores={setores} onFechar={fechar} />}
        {aberto === 'notificacoes' && <Notificacoes preferencias={preferencias} onMudar={guardar} onFechar={fechar} />}
      </Suspense>
    </>
  )
}
