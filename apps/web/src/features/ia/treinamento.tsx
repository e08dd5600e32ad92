import { CONTADOR } from '@balcao/contract/constants'
import type { IaConfig } from '@balcao/contract/entities/config'
import { Plus } from 'lucide-react'
import { Card } from '#shared/ui/card.tsx'
import { focarCampo } from './focar.ts'
import { TextoLongo } from './texto-longo.tsx'
import type { Mudanca } from './use-formulario-ia.ts'

const COMECOS = [
  { rotulo: 'Quem somos', texto: 'Somos a [nome da empresa], em [cidade]. Vendemos [o que vendemos].' },
  { rotulo: 'Tom de voz', texto: 'Fale de forma simples e simpática, em frases curtas, chamando o cliente pelo nome.' },
  { rotulo: 'Entrega', texto: 'Entregamos em [bairros], em até [prazo]. A taxa é de [valor].' },
  { rotulo: 'Pagamento', texto: 'Aceitamos Pix, cartão e dinheiro.' },
  { rotulo: 'O que não fazer', texto: 'Não prometa descontos nem prazos: nesses casos, chame um atendente.' },
] as const

interface TreinamentoProps {
  readonly ia: IaConfig
  readonly erro: string | undefined
  readonly mudar: (mudanca: Mudanca) => void
}

export function Treinamento({ ia: { promptTreinamento }, erro, mudar }: TreinamentoProps) {
  const acrescentar = (texto: string): void => {
    mudar((atual) => ({ promptTreinamento: `${atual.promptTreinamento.trimEnd()}\n${texto}`.trimStart() }))
    focarCampo('promptTreinamento')
  }
  const faltam = COMECOS.filter(({ texto }) => !promptTreinamento.includes(texto))
  return (
    <Card titulo="Treinamento">
      <TextoLongo
        nome="promptTreinamento"
        rotulo="Prompt de treinamento"
        valor={promptTreinamento}
        total={CONTADOR.promptTreinamento}
        linhas={6}
        erro={erro}
        dica="Conte o que a IA precisa saber. Os produtos da loja e o horário de atendimento ela já conhece."
        onMudar={(texto) => mudar({ promptTreinamento: texto })}
      />
      {faltam.length > 0 && (
        <div role="group" aria-label="Acrescentar ao prompt" className="mt-3 flex flex-wrap gap-2">
          {faltam.map(({ rotulo, texto }) => (
            <button
              key={rotulo}
              type="button"
              title={texto}
              className="flex min-h-9 items-center gap-1.5 rounded-full border border-line px-3 text-sm font-semibold text-brand-ink hover:bg-brand-soft"
              onClick={() => acrescentar(texto)}
            >
              <Plus size={14} aria-hidden /> {rotulo}
            </button>
          ))}
        </div>
      )}
    </Card>
  )
}
