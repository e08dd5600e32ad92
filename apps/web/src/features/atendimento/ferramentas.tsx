import type { Setor } from '@balcao/contract/entities/config'
import { Settings2, Volume2, VolumeX } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { ligarNotificacoes, notificacoesLigadas } from './notificacoes.ts'
import { Testar } from './testar.tsx'

const Setores = lazy(async () => ({ default: (await import('./setores.tsx')).Setores }))

/** The buttons of the tab's header: test conversations, notifications, sector settings (spec §2). */
export function Ferramentas({ setores }: { setores: readonly Setor[] }) {
  const [configurando, setConfigurando] = useState(false)
  const [ligadas, setLigadas] = useState(notificacoesLigadas)
  return (
    <>
      <Testar setores={setores} />
      <IconButton
        rotulo={ligadas ? 'Desligar notificações' : 'Ligar notificações'}
        className="!size-11"
        aria-pressed={ligadas}
        icone={ligadas ? <Volume2 size={18} aria-hidden /> : <VolumeX size={18} aria-hidden />}
        onClick={() => {
          ligarNotificacoes(!ligadas)
          setLigadas(!ligadas)
        }}
      />
      <IconButton
        rotulo="Configurar setores"
        className="!size-11"
        icone={<Settings2 size={18} aria-hidden />}
        onClick={() => setConfigurando(true)}
      />
      <Suspense>{configurando && <Setores setores={setores} onFechar={() => setConfigurando(false)} />}</Suspense>
    </>
  )
}
