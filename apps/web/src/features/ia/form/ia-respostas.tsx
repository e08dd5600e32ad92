import { CONTADOR } from '@balcao/contract/constants'
import type { IaConfig } from '@balcao/contract/entities/config'
import type { LabelledFields } from '#shared/form/labelled-fields.ts'
import { Card } from '#shared/ui/card.tsx'
import type { IaErrors } from './ia-errors.ts'
import { LongText } from './long-text.tsx'
import type { IaChange } from './use-ia-form.ts'

const RESPOSTA_FIELDS: LabelledFields<IaConfig['respostasPredefinidas']> = [
  { campo: 'cumprimento', rotulo: 'Cumprimento', dica: 'Quando o cliente só diz “oi” ou “bom dia”.' },
  { campo: 'despedida', rotulo: 'Despedida', dica: 'Quando o cliente só se despede.' },
  { campo: 'naoEntendi', rotulo: 'Não entendi', dica: 'Quando a IA está desligada ou não consegue responder.' },
  { campo: 'transferirHumano', rotulo: 'Transferir para humano', dica: 'Quando a IA chama um atendente.' },
]

interface IaRespostasProps {
  readonly ia: IaConfig
  readonly errors: IaErrors
  readonly change: (mudanca: IaChange) => void
}

/** Answers sent without calling the provider. */
export function IaRespostas({ ia: { respostasPredefinidas }, errors, change }: IaRespostasProps) {
  return (
    <Card heading="Respostas predefinidas">
      <div className="grid gap-5">
        {RESPOSTA_FIELDS.map(({ campo, rotulo, dica }) => (
          <LongText
            key={campo}
            name={`respostasPredefinidas.${campo}`}
            label={rotulo}
            value={respostasPredefinidas[campo]}
            total={CONTADOR.respostaPredefinida}
            rows={2}
            error={errors[`respostasPredefinidas.${campo}`]}
            hint={dica}
            onChange={(text) =>
              change((current) => ({ respostasPredefinidas: { ...current.respostasPredefinidas, [campo]: text } }))
            }
          />
        ))}
      </div>
    </Card>
  )
}
