import type { ConfigInput } from '@balcao/contract/entities/config-input'
import type { Ensaio } from '@balcao/contract/entities/prova'
import { History } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatNumber } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { FigureList } from '#shared/ui/figure-list.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { Select, type SelectProps } from '#shared/ui/select.tsx'
import { ChangedConversas } from './changed-conversas.tsx'
import { useEnsaio } from './use-ensaio.ts'

type Period = '1' | '7' | '14' | '30'

const PERIODS: SelectProps<Period>['options'] = [
  { valor: '1', rotulo: 'Último dia' },
  { valor: '7', rotulo: 'Últimos 7 dias' },
  { valor: '14', rotulo: 'Últimos 14 dias' },
  { valor: '30', rotulo: 'Últimos 30 dias' },
]

interface EnsaioCardProps {
  /** The settings with the edits on screen. */
  readonly config: ConfigInput
  readonly changed: boolean
  /** Shown while nothing is edited. */
  readonly children?: ReactNode
}

/** Plays the conversas of the last days with the edits on screen. No customer receives anything. */
export function EnsaioCard({ config, changed, children }: EnsaioCardProps) {
  const { busy, error, shown, isOutdated, run } = useEnsaio(config)
  const [period, setPeriod] = useState<Period>('7')
  return (
    <Card heading="Ensaio" id="ensaio">
      <p className="-mt-2 mb-3 max-w-[62ch] text-sm text-muted">
        Repete as conversas que já aconteceram com o que você mudou. Nada é enviado e nada é cobrado.
      </p>
      <div className="flex flex-wrap items-end gap-2">
        <Select label="Período" value={period} options={PERIODS} className="min-h-11" onChange={setPeriod} />
        <Button
          variant="primary"
          className="min-h-11"
          busy={busy}
          disabled={!changed}
          onClick={() => void run(Number(period))}
        >
          <History size={18} aria-hidden /> {busy ? 'Ensaiando…' : 'Ensaiar as mudanças'}
        </Button>
      </div>
      {!changed && shown === null && children}
      <div aria-live="polite" className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4 empty:hidden">
        {error !== null && <Notice tone="erro" title={error} />}
        {error === null && isOutdated && (
          <Notice tone="espera" title="Você mudou algo depois deste ensaio. Ensaie de novo." />
        )}
        {error === null && shown !== null && (
          <EnsaioResult ensaio={shown.ensaio} setores={config.atendimento.setores} />
        )}
      </div>
    </Card>
  )
}

interface EnsaioResultProps {
  readonly ensaio: Ensaio
  readonly setores: readonly { readonly id: string; readonly nome: string }[]
}

function EnsaioResult({ ensaio, setores }: EnsaioResultProps) {
  const { conversas, iguais, diferentes, transferencias, mensagens } = ensaio
  const changed = conversas - iguais
  if (conversas === 0) return <p className="text-sm text-muted">Não houve conversas neste período.</p>
  return (
    <>
      <FigureList
        figures={[
          ['Conversas', conversas],
          ['Iguais', iguais],
          ['Mudariam', changed],
        ]}
      />
      <table className="w-full max-w-md text-left text-sm tabular-nums">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Medida</span>
            </th>
            <th scope="col" className="py-1 pr-3">
              Antes
            </th>
            <th scope="col" className="py-1">
              Depois
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          <BeforeAfter label="Passadas para uma pessoa" {...transferencias} />
          <BeforeAfter label="Mensagens do bot" {...mensagens} />
        </tbody>
      </table>
      {changed === 0 ? (
        <Notice tone="sucesso" title="Nenhuma conversa mudaria." />
      ) : (
        <ChangedConversas diferentes={diferentes} total={changed} setores={setores} />
      )}
    </>
  )
}

function BeforeAfter({ label, antes, depois }: { label: string; antes: number; depois: number }) {
  return (
    <tr>
      <th scope="row" className="py-1.5 pr-3 font-semibold">
        {label}
      </th>
      <td className="py-1.5 pr-3">{formatNumber(antes)}</td>
      <td className="py-1.5">{formatNumber(depois)}</td>
    </tr>
  )
}
