/** The engine's wall: time, chance and ids come in with the event, and nothing waits or throws (docs/architecture.md). */

const CLOCKS = new Set(['Date.now', 'Math.random', 'performance.now', 'crypto.randomUUID'])

const isAsync = (context) => (node) => {
  if (node.async || node.generator) context.report({ node, message: 'The engine answers at once: no async functions.' })
}

const purity = {
  create(context) {
    return {
      MemberExpression(node) {
        const { object, property } = node
        const name = property.type === 'Identifier' && !node.computed ? property.name : property.value
        if (object.type === 'Identifier' && CLOCKS.has(`${object.name}.${name}`))
          context.report({
            node,
            message: `The engine has no clock and no dice: ${object.name}.${name} comes with the event.`,
          })
      },
      'NewExpression[callee.name="Date"][arguments.length=0]'(node) {
        context.report({ node, message: 'The engine has no clock: pass the instant to Date.' })
      },
      'CallExpression[callee.name="Date"]'(node) {
        context.report({ node, message: 'The engine has no clock: Date() reads it.' })
      },
      ThrowStatement(node) {
        context.report({ node, message: 'The engine never throws: return what happened.' })
      },
      AwaitExpression(node) {
        context.report({ node, message: 'The engine answers at once: nothing to await.' })
      },
      FunctionDeclaration: isAsync(context),
      FunctionExpression: isAsync(context),
      ArrowFunctionExpression: isAsync(context),
    }
  },
}

export default { meta: { name: 'engine' }, rules: { purity } }
