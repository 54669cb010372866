/**
 * The work of both Redis baselines: the seats of an event in one hash. Hold and book are one Lua script each, so both
 * are atomic. A hold's key expires by itself, after which its seats are free again.
 */
export const holdTtlMs = 15 * 60_000;

/** A seat's field is '' while it is free, else the holdId, or `=` and the bookingRef. Keys: seats, hold. */
export const holdScript = `
  for i = 3, #ARGV do
    local owner = redis.call('HGET', KEYS[1], ARGV[i])
    if not owner then return 0 end
    if owner ~= '' and (owner:sub(1, 1) == '=' or redis.call('EXISTS', 'hold:' .. owner) == 1) then return 0 end
  end
  for i = 3, #ARGV do redis.call('HSET', KEYS[1], ARGV[i], ARGV[1]) end
  redis.call('SET', KEYS[2], cjson.encode({ unpack(ARGV, 3) }), 'PX', ARGV[2])
  return 1`;

export const bookScript = `
  local held = redis.call('GET', KEYS[2])
  if not held then return nil end
  for _, label in ipairs(cjson.decode(held)) do redis.call('HSET', KEYS[1], label, '=' .. ARGV[1]) end
  redis.call('DEL', KEYS[2])
  return held`;
