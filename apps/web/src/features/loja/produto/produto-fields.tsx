import { Field } from '#shared/ui/field.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { cleanPrice } from '#features/loja/price.ts'
import type { useProdutoForm } from './use-produto-form.ts'

export function ProdutoFields({ formulario }: { formulario: ReturnType<typeof useProdutoForm> }) {
  const { campos, erros, mudar, arrumar } = formulario
  return (
    <>
      <TextField
        label="Nome"
        name="nome"
        required
        maxLength={120}
        autoComplete="off"
        error={erros.nome}
        value={campos.nome}
        onChange={({ currentTarget }) => mudar({ nome: currentTarget.value })}
      />
      <Field label="Descrição" error={erros.descricao}>
        {(link) => (
          <textarea
            {...link}
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
        <Field label="Preço" error={erros.preco}>
          {(link) => (
            <div className="relative">
              <span aria-hidden className="absolute inset-y-0 left-3 grid place-items-center text-muted">
                R$
              </span>
              <input
                {...link}
                name="preco"
                required
                inputMode="decimal"
                autoComplete="off"
                placeholder="0,00"
                maxLength={16}
                className="field pl-10 tabular-nums"
                value={campos.preco}
                onChange={({ currentTarget }) => mudar({ preco: cleanPrice(currentTarget.value) })}
                onBlur={arrumar}
              />
            </div>
          )}
        </Field>
        <TextField
          label="Link de compra (opcional)"
          name="linkCheckout"
          type="url"
          inputMode="url"
          maxLength={2000}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://…"
          error={erros.linkCheckout}
          value={campos.linkCheckout}
          onChange={({ currentTarget }) => mudar({ linkCheckout: currentTarget.value })}
          onBlur={arrumar}
        />
      </div>
      <Switch
        label="Ativo na loja"
        hint="Desligado, o produto fica guardado e os clientes não o veem."
        on={campos.ativo}
        onChange={(ativo) => mudar({ ativo })}
      />
    </>
  )
}
