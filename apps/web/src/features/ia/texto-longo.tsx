import { Counter } from '#shared/ui/counter.tsx'
import { Field } from '#shared/ui/field.tsx'

export interface TextoLongoProps {
  readonly nome: string
  readonly rotulo: string
  readonly valor: string
  readonly total: number
  readonly linhas: number
  readonly erro: string | undefined
  readonly dica?: string
  readonly onMudar: (valor: string) => void
}

/** The counter does not limit the text. */
export function TextoLongo({ nome, rotulo, valor, total, linhas, erro, dica, onMudar }: TextoLongoProps) {
  return (
    <Field rotulo={rotulo} erro={erro} dica={dica} aoLado={<Counter usado={valor.length} total={total} />}>
      {(ligacao) => (
        <textarea
          {...ligacao}
          name={nome}
          rows={linhas}
          value={valor}
          className="field field-sizing-content max-h-80 min-h-17 resize-y"
          onChange={({ currentTarget }) => onMudar(currentTarget.value)}
        />
      )}
    </Field>
  )
}
