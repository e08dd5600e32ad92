import { FORMAS_PAGAMENTO } from '@balcao/contract/constants'
import { parsePixChave, type PixChave } from '@balcao/contract/entities/pix-chave'
import { Card } from '#shared/ui/card.tsx'
import { Checkbox } from '#shared/ui/checkbox.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { type PaymentWay, pixErrors } from './shop-settings-values.ts'
import type { ShopSettingsForm } from './use-shop-settings-form.ts'

const FORMA_TEXTS: Readonly<Record<PaymentWay, string>> = {
  pix: 'PIX',
  dinheiro: 'Dinheiro, com troco',
  cartao: 'Cartão, na entrega ou na retirada',
}

const CHAVE_TEXTS: Readonly<Record<PixChave['tipo'], string>> = {
  cpf: 'CPF',
  cnpj: 'CNPJ',
  telefone: 'celular',
  email: 'e-mail',
  aleatoria: 'chave aleatória',
}

const CHAVE_KINDS = 'CPF, CNPJ, celular com DDD, e-mail ou chave aleatória.'

function chaveHint(chave: string): string {
  if (chave.trim() === '') return `${CHAVE_KINDS} Sem a chave, o bot não oferece PIX.`
  const known = parsePixChave(chave)
  return known === null ? CHAVE_KINDS : `Chave reconhecida: ${CHAVE_TEXTS[known.tipo]}.`
}

export function PagamentoCard({ form }: { form: ShopSettingsForm }) {
  const { values, change } = form
  const { pagamentos } = values
  // In the order of the contract, so that choosing and taking back changes nothing.
  const toggle = (forma: PaymentWay, on: boolean): void =>
    change({ pagamentos: FORMAS_PAGAMENTO.filter((one) => (one === forma ? on : pagamentos.includes(one))) })
  return (
    <Card heading="Pagamento">
      <div className="grid gap-4">
        <fieldset className="grid gap-3">
          <legend className="mb-1 text-sm font-semibold">O que a loja aceita</legend>
          {FORMAS_PAGAMENTO.map((forma) => (
            <Checkbox
              key={forma}
              label={FORMA_TEXTS[forma]}
              checked={pagamentos.includes(forma)}
              onChange={({ currentTarget }) => toggle(forma, currentTarget.checked)}
            />
          ))}
        </fieldset>
        {pagamentos.includes('pix') && <PixFields form={form} />}
      </div>
    </Card>
  )
}

function PixFields({ form: { values, errors, change, setErrors } }: { form: ShopSettingsForm }) {
  const { pix } = values
  return (
    <div className="grid items-start gap-4 border-t pt-4 sm:grid-cols-2">
      <TextField
        label="Chave PIX"
        name="pix.chave"
        maxLength={80}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={pix.chave}
        error={errors['pix.chave']}
        hint={chaveHint(pix.chave)}
        onChange={({ currentTarget }) => change({ pix: { ...pix, chave: currentTarget.value } })}
        onBlur={() => setErrors({ ...errors, ...pixErrors(pix) })}
      />
      <TextField
        label="Nome de quem recebe"
        name="pix.nome"
        maxLength={60}
        autoComplete="off"
        value={pix.nome}
        error={errors['pix.nome']}
        hint="Em branco, vale o nome da empresa."
        onChange={({ currentTarget }) => change({ pix: { ...pix, nome: currentTarget.value } })}
      />
      <TextField
        label="Cidade"
        name="pix.cidade"
        maxLength={60}
        autoComplete="off"
        value={pix.cidade}
        error={errors['pix.cidade']}
        hint="O código PIX leva o nome e a cidade."
        onChange={({ currentTarget }) => change({ pix: { ...pix, cidade: currentTarget.value } })}
      />
    </div>
  )
}
