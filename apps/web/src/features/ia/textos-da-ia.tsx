import { CONTADOR } from '@balcao/contract/constants'
import type { IaConfig } from '@balcao/contract/entities/config'
import { Card } from '#shared/ui/card.tsx'
import { Counter } from '#shared/ui/counter.tsx'
import { Field } from '#shared/ui/field.tsx'

const RESPOSTAS: readonly { readonly campo: keyof IaConfig['respostasPredefinidas']; readonly rotulo: string }[] = [
  { campo: 'cumprimento', rotulo: 'Cumprimento' },
  { campo: 'despedida', rotulo: 'Despedida' },
  { campo: 'naoEntendi', rotulo: 'Não entendi' },
  { campo: 'transferirHumano', rotulo: 'Transferir para humano' },
]

interface TextoProps {
  readonly rotulo: string
  readonly valor: string
  readonly total: number
  readonly linhas: number
  readonly onMudar: (valor: string) => void
}

function Texto({ rotulo, valor, total, linhas, onMudar }: TextoProps) {
  return (
    <Field rotulo={rotulo} aoLado={<Counter usado={valor.length} total={total} />}>
      {(ligacao) => (
        <textarea
          {...ligacao}
          rows={linhas}
          value={valor}
          className="field field-sizing-content max-h-80 min-h-17 resize-y"
          onChange={({ currentTarget }) => onMudar(currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** What the assistant is told, and what it says without being asked. Counters only count (spec §5). */
export function Textos({ ia, mudar }: { ia: IaConfig; mudar: (campos: Partial<IaConfig>) => void }) {
  const { promptTreinamento, respostasPredefinidas } = ia
  return (
    <>
      <Card titulo="Treinamento">
        <Texto
          rotulo="Prompt de treinamento"
          valor={promptTreinamento}
          total={CONTADOR.promptTreinamento}
          linhas={6}
          onMudar={(texto) => mudar({ promptTreinamento: texto })}
        />
      </Card>
      <Card titulo="Respostas predefinidas">
        <div className="grid gap-4">
          {RESPOSTAS.map(({ campo, rotulo }) => (
            <Texto
              key={campo}
              rotulo={rotulo}
              valor={respostasPredefinidas[campo]}
              total={CONTADOR.respostaPredefinida}
              linhas={2}
              onMudar={(texto) => mudar({ respostasPredefinidas: { ...respostasPredefinidas, [campo]: texto } })}
            />
          ))}
        </div>
      </Card>
    </>
  )
}
