import type { BotContext } from '@balcao/engine/context'
import type { AccountContext } from './context.ts'

const engineContexts = new WeakMap<AccountContext, BotContext>()

export function toBotContext(context: AccountContext): BotContext {
  const done = engineContexts.get(context)
  if (done !== undefined) return done
  const { config, empresa, iaReadsMidia, aviso } = context
  const fresh: BotContext = {
    config,
    empresa,
    iaAvailable: config.ia.ativa && config.gemini.apiKey !== '',
    iaReadsMidia,
    ...(aviso === null ? {} : { avisoPrivacidade: aviso.texto }),
    produtos: context.produtos.map(({ id, nome, descricao, preco, linkCheckout, imagemUrl }) => ({
      id,
      nome,
      descricao,
      preco,
      ...(linkCheckout === '' ? {} : { linkCheckout }),
      ...(imagemUrl === null ? {} : { imagemUrl }),
    })),
  }
  engineContexts.set(context, fresh)
  return fresh
}
