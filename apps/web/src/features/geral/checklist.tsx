import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { ConfigVersionada } from '@balcao/contract/entities/config'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { avisar } from '#shared/avisos.ts'
import { useUsuario } from '#shared/session.tsx'
import { primeirosPassos } from './passos.ts'
import { PrimeirosPassos } from './primeiros-passos.tsx'

function chaveDaDispensa(contaId: string): string {
  return `passos-dispensados:${contaId}`
}

interface ChecklistProps {
  readonly config: ConfigVersionada
  readonly bot: BotStatus
  readonly mensagensNoMes: number
}

function TudoPronto() {
  return (
    <p role="status" className="flex items-center gap-2 text-sm font-semibold text-brand-ink">
      <CircleCheck aria-hidden className="size-4.5" /> Tudo pronto: seu balcão está atendendo.
    </p>
  )
}

/** Shows the list until it is complete or dismissed; completing it on screen is acknowledged once, quietly. */
export function Checklist({ config, bot, mensagensNoMes }: ChecklistProps) {
  const { contaId } = useUsuario()
  const [dispensado, setDispensado] = useState(() => localStorage.getItem(chaveDaDispensa(contaId)) !== null)
  const passos = primeirosPassos({ config, bot, mensagensNoMes })
  const completa = passos.every((passo) => passo.feito)
  const [viuIncompleta, setViuIncompleta] = useState(!completa)
  if (!completa && !viuIncompleta) setViuIncompleta(true)

  if (dispensado || (completa && !viuIncompleta)) return null
  if (completa) return <TudoPronto />

  function dispensar(): void {
    localStorage.setItem(chaveDaDispensa(contaId), 'sim')
    setDispensado(true)
    avisar.info('Primeiros passos dispensados.', {
      acao: {
        rotulo: 'Desfazer',
        fazer: () => {
          localStorage.removeItem(chaveDaDispensa(contaId))
          setDispensado(false)
        },
      },
    })
  }
  return <PrimeirosPassos passos={passos} onDispensar={dispensar} />
}
