import { Field } from '#shared/ui/field.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { limparPreco } from './preco.ts'
import type { useFormulario } from './use-formulario.ts'

export function CamposDoProduto({ formulario }: { formulario: ReturnType<typeof useFormulario> }) {
  const { campos, erros, mudar, arrumar } = formulario
  return (
    <>
      <TextField
        rotulo="Nome"
        name="nome"
        required
        maxLength={120}
        autoComplete="off"
        erro={erros.nome}
        value={campos.nome}
        onChange={({ currentTarget }) => mudar({ nome: currentTarget.value })}
      />
      <Field rotulo="Descrição" erro={erros.descricao}>
        {(ligacao) => (
          <textarea
            {...ligacao}
            name="descricao"
            required
            rows={3}
            maxLength={4096}
            className="field block max-h-64 min-h-16 resize-none [field-sizing:content]"
            value={campos.descricao}
            onChange={({ currentTarget }) => mudar({ descricao: currentTarget.value })}
          />
        )}
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-[12rem_1fr]">
        <Field rotulo="Preço" erro={erros.preco}>
          {(ligacao) => (
            <div className="relative">
              <span aria-hidden className="absolute inset-y-0 left-3 grid place-items-center text-muted">
                R$
              </span>
              <input
                {...ligacao}
                name="preco"
                required
                inputMode="decimal"
                autoComplete="off"
                placeholder="0,00"
                maxLength={16}
                className="field pl-10 tabular-nums"
                value={campos.preco}
                onChange={({ currentTarget }) => mudar({ preco: limparPreco(currentTarget.value) })}
                onBlur={arrumar}
              />
            </div>
          )}
        </Field>
        <TextField
          rotulo="Link de compra (opcional)"
          name="linkCheckout"
          type="url"
          inputMode="url"
          maxLength={2000}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://…"
          erro={erros.linkCheckout}
          value={campos.linkCheckout}
          onChange={({ currentTarget }) => mudar({ linkCheckout: currentTarget.value })}
          onBlur={arrumar}
        />
      </div>
      <Switch
        rotulo="Ativo na loja"
        dica="Desligado, o produto fica guardado e os clientes não o veem."
        ligado={campos.ativo}
        onMudar={(ativo) => mudar({ ativo })}
      />
    </>
  )
}
